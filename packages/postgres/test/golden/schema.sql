CREATE SCHEMA minutebook;

CREATE TABLE minutebook.entry (
    thread text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    id bytea NOT NULL,
    payload text NOT NULL,
    checksum bytea NOT NULL,
    written timestamp with time zone NOT NULL,
    key text COLLATE pg_catalog."C"
);
ALTER TABLE ONLY minutebook.entry ALTER COLUMN payload SET STATISTICS 0;
ALTER TABLE ONLY minutebook.entry ALTER COLUMN checksum SET STATISTICS 0;
ALTER TABLE ONLY minutebook.entry ALTER COLUMN key SET STATISTICS 0;

ALTER TABLE ONLY minutebook.entry FORCE ROW LEVEL SECURITY;

CREATE TABLE minutebook.figure (
    tenant text NOT NULL COLLATE pg_catalog."C",
    hour integer NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    model text NOT NULL COLLATE pg_catalog."C",
    slot integer NOT NULL,
    calls bigint NOT NULL,
    failed bigint NOT NULL,
    cancelled bigint NOT NULL,
    resent bigint NOT NULL,
    unsent bigint NOT NULL,
    cut_calls bigint NOT NULL,
    omitted_calls bigint NOT NULL,
    clipped_calls bigint NOT NULL,
    clipped_questions bigint NOT NULL,
    sent_tokens bigint NOT NULL,
    reused_tokens bigint NOT NULL,
    read_tokens bigint NOT NULL,
    cached_tokens bigint NOT NULL,
    cut_tokens bigint NOT NULL,
    answer_tokens bigint NOT NULL,
    verbatim bigint NOT NULL,
    clipped bigint NOT NULL,
    recalled bigint NOT NULL,
    digested bigint NOT NULL,
    outlined bigint NOT NULL,
    omitted bigint NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE ONLY minutebook.figure ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY minutebook.figure ALTER COLUMN model SET STATISTICS 0;

ALTER TABLE ONLY minutebook.figure FORCE ROW LEVEL SECURITY;

CREATE TABLE minutebook.image (
    thread text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    content text NOT NULL
);
ALTER TABLE ONLY minutebook.image ALTER COLUMN hash SET STATISTICS 0;
ALTER TABLE ONLY minutebook.image ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY minutebook.image ALTER COLUMN content SET STORAGE EXTERNAL;

ALTER TABLE ONLY minutebook.image FORCE ROW LEVEL SECURITY;

CREATE TABLE minutebook.migration (
    number integer NOT NULL,
    name text NOT NULL,
    applied timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE minutebook.piece (
    thread text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    segment text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    content bytea NOT NULL
)
WITH (toast_tuple_target='4080', autovacuum_vacuum_scale_factor='0.05', toast.autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY minutebook.piece ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE ONLY minutebook.piece ALTER COLUMN content SET STORAGE EXTERNAL;

ALTER TABLE ONLY minutebook.piece FORCE ROW LEVEL SECURITY;

CREATE TABLE minutebook.record (
    thread text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    thread_name text,
    name text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    key_name text,
    value text NOT NULL,
    version integer NOT NULL,
    written timestamp with time zone NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE ONLY minutebook.record ALTER COLUMN thread_name SET STATISTICS 0;
ALTER TABLE ONLY minutebook.record ALTER COLUMN key SET STATISTICS 0;
ALTER TABLE ONLY minutebook.record ALTER COLUMN key_name SET STATISTICS 0;
ALTER TABLE ONLY minutebook.record ALTER COLUMN value SET STATISTICS 0;

ALTER TABLE ONLY minutebook.record FORCE ROW LEVEL SECURITY;

CREATE TABLE minutebook.secret (
    name text NOT NULL COLLATE pg_catalog."C",
    value bytea NOT NULL
);
ALTER TABLE ONLY minutebook.secret ALTER COLUMN value SET STATISTICS 0;

CREATE TABLE minutebook.segment (
    thread text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    segment text NOT NULL COLLATE pg_catalog."C",
    name text
);
ALTER TABLE ONLY minutebook.segment ALTER COLUMN name SET STATISTICS 0;

ALTER TABLE ONLY minutebook.segment FORCE ROW LEVEL SECURITY;

CREATE TABLE minutebook.snapshot (
    thread text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    value text NOT NULL
);
ALTER TABLE ONLY minutebook.snapshot ALTER COLUMN value SET STATISTICS 0;

ALTER TABLE ONLY minutebook.snapshot FORCE ROW LEVEL SECURITY;

CREATE TABLE minutebook.thread (
    thread text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text,
    head bytea,
    length integer DEFAULT 0 NOT NULL,
    term integer DEFAULT 0 NOT NULL,
    erasures integer DEFAULT 0 NOT NULL,
    written timestamp with time zone,
    searched integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='80');
ALTER TABLE ONLY minutebook.thread ALTER COLUMN name SET STATISTICS 0;

ALTER TABLE ONLY minutebook.thread FORCE ROW LEVEL SECURITY;

CREATE TABLE minutebook.word (
    thread text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    written timestamp with time zone NOT NULL,
    words text[] NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY minutebook.word ALTER COLUMN words SET STATISTICS 0;

ALTER TABLE ONLY minutebook.word FORCE ROW LEVEL SECURITY;

ALTER TABLE ONLY minutebook.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (thread, tenant, seq);

ALTER TABLE ONLY minutebook.figure
    ADD CONSTRAINT figure_pkey PRIMARY KEY (tenant, hour, key, model, slot);

ALTER TABLE ONLY minutebook.image
    ADD CONSTRAINT image_pkey PRIMARY KEY (thread, tenant, hash);

ALTER TABLE ONLY minutebook.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);

ALTER TABLE ONLY minutebook.piece
    ADD CONSTRAINT piece_pkey PRIMARY KEY (thread, tenant, segment, number);

ALTER TABLE ONLY minutebook.record
    ADD CONSTRAINT record_pkey PRIMARY KEY (thread, tenant, name, key);

ALTER TABLE ONLY minutebook.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);

ALTER TABLE ONLY minutebook.segment
    ADD CONSTRAINT segment_pkey PRIMARY KEY (thread, tenant, segment);

ALTER TABLE ONLY minutebook.snapshot
    ADD CONSTRAINT snapshot_pkey PRIMARY KEY (thread, tenant, name, seq);

ALTER TABLE ONLY minutebook.thread
    ADD CONSTRAINT thread_pkey PRIMARY KEY (thread, tenant);

ALTER TABLE ONLY minutebook.word
    ADD CONSTRAINT word_pkey PRIMARY KEY (thread, tenant, seq);

CREATE UNIQUE INDEX entry_id ON minutebook.entry USING btree (thread, tenant, id);

CREATE INDEX entry_key ON minutebook.entry USING btree (thread, tenant, key) WHERE (key IS NOT NULL);

CREATE INDEX record_key ON minutebook.record USING btree (tenant, name, key, written DESC);

CREATE INDEX record_metadata ON minutebook.record USING btree (tenant, key, value, thread) WHERE (name = 'metadata'::text);

CREATE INDEX record_page ON minutebook.record USING btree (tenant, name, written DESC, thread DESC, key DESC);

CREATE INDEX thread_unsearched ON minutebook.thread USING btree (tenant, searched) WHERE (searched < length);

CREATE INDEX thread_written ON minutebook.thread USING btree (tenant, written DESC, thread DESC) WHERE (length > 0);

CREATE INDEX word_words ON minutebook.word USING gin (words);

CREATE INDEX word_written ON minutebook.word USING btree (tenant, written DESC, seq DESC, thread DESC);

ALTER TABLE minutebook.entry ENABLE ROW LEVEL SECURITY;

ALTER TABLE minutebook.figure ENABLE ROW LEVEL SECURITY;

ALTER TABLE minutebook.image ENABLE ROW LEVEL SECURITY;

ALTER TABLE minutebook.piece ENABLE ROW LEVEL SECURITY;

ALTER TABLE minutebook.record ENABLE ROW LEVEL SECURITY;

CREATE POLICY searched ON minutebook.word AS RESTRICTIVE FOR SELECT USING ((words @> string_to_array(COALESCE(current_setting('minutebook.words'::text, true), ''::text), ' '::text)));

ALTER TABLE minutebook.segment ENABLE ROW LEVEL SECURITY;

ALTER TABLE minutebook.snapshot ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON minutebook.entry USING ((tenant = current_setting('minutebook.tenant'::text, true)));

CREATE POLICY tenant ON minutebook.figure USING ((tenant = current_setting('minutebook.tenant'::text, true)));

CREATE POLICY tenant ON minutebook.image USING ((tenant = current_setting('minutebook.tenant'::text, true)));

CREATE POLICY tenant ON minutebook.piece USING ((tenant = current_setting('minutebook.tenant'::text, true)));

CREATE POLICY tenant ON minutebook.record USING ((tenant = current_setting('minutebook.tenant'::text, true)));

CREATE POLICY tenant ON minutebook.segment USING ((tenant = current_setting('minutebook.tenant'::text, true)));

CREATE POLICY tenant ON minutebook.snapshot USING ((tenant = current_setting('minutebook.tenant'::text, true)));

CREATE POLICY tenant ON minutebook.thread USING ((tenant = current_setting('minutebook.tenant'::text, true)));

CREATE POLICY tenant ON minutebook.word USING ((tenant = current_setting('minutebook.tenant'::text, true)));

ALTER TABLE minutebook.thread ENABLE ROW LEVEL SECURITY;

ALTER TABLE minutebook.word ENABLE ROW LEVEL SECURITY;
