"""What a run looks like: the artifact and the envelope."""
