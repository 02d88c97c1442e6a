-- Pages of records, in their whole order. With less of it in the index, a plan that was made before the table was analysed sorts all
-- records of a name for one page.

create index record_page on minutebook.record (tenant, name, written desc, thread desc, key desc);

drop index minutebook.record_name;
