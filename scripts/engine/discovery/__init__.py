"""Discovery: what is rising, in three legs between which the host model judges."""
