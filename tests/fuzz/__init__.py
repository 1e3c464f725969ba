"""Random questions to all engines, against the judge and against brute force: ``python -m tests.fuzz --minutes 10``."""
