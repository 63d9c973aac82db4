"""What ``evaluate`` takes beside labels: each argument and what it changes (tab:settings)."""
