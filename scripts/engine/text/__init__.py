"""Text as the engine reads it: tokens, topics, relevance, duplicates."""
