"""From a checked model to the program it describes: monitors, shields, logs, tests."""
