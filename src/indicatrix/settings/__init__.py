"""Settings: encoders from what each setting of the paper calls labels onto the one algebra (tab:settings)."""
