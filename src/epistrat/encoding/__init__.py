"""Systems as Boolean functions: bits, orders, partitioned relations."""
