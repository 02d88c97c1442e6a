-- A word that is in many entries is found in the newest of them, without looking at all.

create index word_written on minutebook.word (tenant, written desc, seq desc, thread desc);
