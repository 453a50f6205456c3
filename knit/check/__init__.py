"""Everything that can be wrong with a course, found without making HTML."""
