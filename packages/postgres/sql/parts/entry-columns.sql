entry.seq, entry.payload, entry.checksum
