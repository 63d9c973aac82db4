"""What ``evaluate`` takes in addition to labels: each argument and what it changes (tab:settings)."""
