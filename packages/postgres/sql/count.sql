-- Counts, in a transaction that has appended the entry that is counted.
{insert-figures}
