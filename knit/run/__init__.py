"""Running scripts: worker processes, and a store that keeps what they computed."""
