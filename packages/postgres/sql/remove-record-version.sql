-- Removes a record that has this version. No row: it has another version, or is not there.
delete from minutebook.record
where thread = $1 and tenant = $2 and name = $3 and key = $4 and version = $5
returning version
