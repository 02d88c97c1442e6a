-- Writes the value that follows a version. No row: the record has another version, or is not there.
update minutebook.record set value = $5, version = version + 1, written = clock_timestamp()
where thread = $1 and tenant = $2 and name = $3 and key = $4 and version = $6
returning version
