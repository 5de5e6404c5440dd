"""Places: from a travel intent to candidates with evidence and confidence."""
