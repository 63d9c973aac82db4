"""Ranking scores on the device where they are; only the sums behind areas come to main memory."""
