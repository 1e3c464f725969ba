"""What generated monitors consist of; the same code follows runs in this process."""
