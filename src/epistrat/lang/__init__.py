"""ISPL: text to checked systems, and back."""
