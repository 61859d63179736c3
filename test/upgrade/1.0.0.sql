


SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;


CREATE SCHEMA live;



CREATE SCHEMA live_jobs;



CREATE TYPE live_jobs.job_spec AS (
	identifier text,
	payload json,
	queue_name text,
	run_at timestamp with time zone,
	max_attempts smallint,
	job_key text,
	priority smallint,
	flags text[]
);



CREATE FUNCTION live.all_distinct(items text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT count(*) = count(DISTINCT item) FROM unnest(items) AS item $$;



CREATE FUNCTION live.booked_after(recorded_at timestamp with time zone, at timestamp with time zone, closed_until timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  IF at >= closed_until THEN RETURN recorded_at; END IF;
  RAISE EXCEPTION 'The day of % is closed.', at USING ERRCODE = 'serialization_failure';
END $$;



CREATE FUNCTION live.booked_id(id text, recorded_at timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  SELECT left(id, 4) || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
           ((round(date_part('epoch', recorded_at) * 1000)::bigint >> shift) & 31)::int + 1, 1), '' ORDER BY shift DESC) || substr(id, 15)
    FROM generate_series(0, 45, 5) AS shift
$$;



CREATE FUNCTION live.claim_deliveries(ids text[], signatures text[], secrets bytea[], urls text[], hosts text[], moment timestamp with time zone, places integer, host_places integer, host_rate integer) RETURNS TABLE(delivery_id text, is_claimed boolean, is_stale boolean)
    LANGUAGE plpgsql
    AS $$
DECLARE
  locked text[] := ARRAY(
    SELECT w.id FROM webhook_endpoints w
     WHERE w.id = ANY(ARRAY(SELECT d.webhook_id FROM deliveries d WHERE d.id = ANY(ids))) ORDER BY w.id FOR NO KEY UPDATE SKIP LOCKED);
BEGIN
  RETURN QUERY
  WITH wanted AS MATERIALIZED (
    SELECT d.id, d.partner_id, d.at, new.signature, new.url, new.host, w.secret_sealed <> new.secret OR w.url <> new.url AS stale,
           w.id = ANY(locked) AND row_number() OVER (PARTITION BY w.id ORDER BY d.at, d.id)
             + (SELECT count(*) FROM deliveries f WHERE f.webhook_id = w.id AND f.status = 'pending') <= places AS fits
      FROM unnest(ids, signatures, secrets, urls, hosts) AS new(id, signature, secret, url, host)
     CROSS JOIN LATERAL (
       SELECT one.* FROM deliveries one WHERE one.id = new.id AND (one.status = 'queued') IS NOT FALSE OFFSET 0) AS d
     CROSS JOIN LATERAL (SELECT one.* FROM webhook_endpoints one WHERE one.id = d.webhook_id AND one.active OFFSET 0) AS w
     CROSS JOIN LATERAL (SELECT FROM partners p WHERE p.id = w.partner_id AND p.status = 'active' OFFSET 0) AS p
     CROSS JOIN LATERAL (SELECT FROM events e WHERE e.id = d.event_id AND (e.type = ANY(w.events)) IS NOT FALSE OFFSET 0) AS e
  ), rooms AS MATERIALIZED (
    SELECT crowd.*, room_at_host(crowd.partner_id, crowd.host, host_places, host_rate) AS room
      FROM (SELECT DISTINCT w.partner_id, w.host FROM wanted w WHERE w.fits AND NOT w.stale AND w.host IS NOT NULL) AS crowd
  ), placed AS MATERIALIZED (
    SELECT w.*, w.fits AND NOT w.stale AND (w.host IS NULL
             OR row_number() OVER (PARTITION BY w.partner_id, w.host, w.fits AND NOT w.stale ORDER BY w.at, w.id) <= r.room) AS goes
      FROM wanted w LEFT JOIN rooms r ON r.partner_id = w.partner_id AND r.host = w.host
  ), claimed AS (
    UPDATE deliveries d
       SET status = 'pending', attempts = 1, url = placed.url, host = placed.host, signature = placed.signature, at = moment,
           claimed_at = clock_timestamp()
      FROM placed
     WHERE d.id = ANY(ARRAY[placed.id]) AND (d.status = 'queued') IS NOT FALSE AND placed.goes
    RETURNING d.id
  )
  SELECT claimed.id, true, false FROM claimed
   UNION ALL
  SELECT placed.id, false, placed.stale FROM placed WHERE NOT placed.goes;
END $$;



CREATE FUNCTION live.enqueue(specs json) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM "live_jobs".add_jobs(array_agg(spec)) FROM json_populate_recordset(null::"live_jobs".job_spec, specs) AS spec;
END $$;



CREATE FUNCTION live.forget_audit(older_than timestamp with time zone, most integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  gone text[];
BEGIN
  UPDATE audit_chain SET first = newest.number, first_hash = newest.hash
    FROM (SELECT number, hash FROM (
            SELECT l.number, l.hash, bool_and(e.at < older_than) OVER (ORDER BY l.number) AS aged
              FROM (SELECT * FROM audit_links ORDER BY number LIMIT most) AS l JOIN audit_entries e ON e.id = l.entry_id) AS oldest
           WHERE aged ORDER BY number DESC LIMIT 1) AS newest;
  gone := ARRAY(SELECT entry_id FROM audit_links JOIN audit_chain ON number <= first);
  DELETE FROM audit_entries WHERE id = ANY(gone);
  DELETE FROM audit_links WHERE entry_id = ANY(gone);
  RETURN cardinality(gone);
END $$;



CREATE FUNCTION live.has_table(name text) RETURNS boolean
    LANGUAGE sql
    AS $$
  SELECT EXISTS (SELECT FROM pg_class WHERE relname = name AND relnamespace = current_schema()::regnamespace)
$$;



CREATE FUNCTION live.may_forget(market text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT current_setting('vaultline.forgotten_market', true) = market
     AND EXISTS (SELECT FROM markets WHERE id = market AND owner_id IS NOT NULL)
$$;



CREATE FUNCTION live.prepare_ledger(moment timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  month timestamptz;
  partition text;
BEGIN
  IF has_table('ledger_entries_shared') THEN RETURN; END IF;
  FOR month IN SELECT date_trunc('month', moment, 'UTC') + n * interval '1 month' FROM generate_series(0, 1) AS n LOOP
    partition := 'ledger_entries_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM');
    CONTINUE WHEN has_table(partition);
    LOCK TABLE ledger_entries IN SHARE UPDATE EXCLUSIVE MODE;
    CONTINUE WHEN has_table(partition);
    EXECUTE format('CREATE TABLE %I (LIKE ledger_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
    EXECUTE format('CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', partition);
    EXECUTE format('ALTER TABLE ledger_entries ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      partition, month, date_trunc('month', month, 'UTC') + interval '1 month');
  END LOOP;
END $$;



CREATE FUNCTION live.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;



CREATE FUNCTION live.refuse_deletion() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF may_forget(to_jsonb(OLD) ->> TG_ARGV[0]) THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;



CREATE FUNCTION live.refuse_deletion_of_audit() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF EXISTS (SELECT FROM audit_links l JOIN audit_chain c ON l.number <= c.first WHERE l.entry_id = to_jsonb(OLD) ->> TG_ARGV[0]) THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;



CREATE FUNCTION live.refuse_deletion_of_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF may_forget((SELECT market_id FROM positions WHERE id = OLD.position_id)) THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;



CREATE FUNCTION live.remove_failed_jobs(kept_hours integer, most integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN (
    SELECT count(*) FROM "live_jobs".complete_jobs(ARRAY(
      SELECT id FROM "live_jobs".jobs
       WHERE attempts >= max_attempts AND locked_at IS NULL AND run_at < now() - kept_hours * interval '1 hour'
       ORDER BY id LIMIT most)));
END $$;



CREATE FUNCTION live.room_at_host(partner text, receiver text, places integer, per_second integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  since timestamptz;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('sends of ' || current_schema() || '.' || partner || ' to ' || receiver, 0)) THEN
    RETURN 0;
  END IF;
  since := clock_timestamp() - interval '1 second';
  RETURN least(
    places - (SELECT count(*) FROM deliveries d WHERE d.partner_id = partner AND d.host = receiver AND d.status = 'pending'),
    per_second - (SELECT count(*) FROM deliveries d
                   WHERE d.partner_id = partner AND d.host = receiver AND d.status IN ('pending', 'delivered', 'failed') AND d.claimed_at > since));
END $$;



CREATE FUNCTION live.share_ledger() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF has_table('ledger_entries_shared') THEN RETURN; END IF;
  LOCK TABLE ledger_entries IN SHARE UPDATE EXCLUSIVE MODE;
  IF has_table('ledger_entries_shared') THEN RETURN; END IF;
  CREATE TABLE ledger_entries_shared (LIKE ledger_entries INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
  CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON ledger_entries_shared FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  ALTER TABLE ledger_entries ATTACH PARTITION ledger_entries_shared DEFAULT;
END $$;



CREATE FUNCTION live.waiting_jobs() RETURNS TABLE(task text, waiting integer, oldest_seconds double precision)
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN QUERY
    SELECT task_identifier, count(*)::int, extract(epoch FROM clock_timestamp() - min(run_at))::float8
      FROM "live_jobs".jobs
     WHERE run_at <= clock_timestamp() AND locked_at IS NULL AND attempts < max_attempts
     GROUP BY task_identifier;
END $$;


SET default_tablespace = '';

SET default_table_access_method = heap;


CREATE TABLE live_jobs._private_jobs (
    id bigint NOT NULL,
    job_queue_id integer,
    task_id integer NOT NULL,
    payload json DEFAULT '{}'::json NOT NULL,
    priority smallint DEFAULT 0 NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    max_attempts smallint DEFAULT 25 NOT NULL,
    last_error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    key text,
    locked_at timestamp with time zone,
    locked_by text,
    revision integer DEFAULT 0 NOT NULL,
    flags jsonb,
    is_available boolean GENERATED ALWAYS AS (((locked_at IS NULL) AND (attempts < max_attempts))) STORED NOT NULL,
    CONSTRAINT jobs_key_check CHECK (((length(key) > 0) AND (length(key) <= 512))),
    CONSTRAINT jobs_max_attempts_check CHECK ((max_attempts >= 1))
);



CREATE FUNCTION live_jobs.add_job(identifier text, payload json DEFAULT NULL::json, queue_name text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts integer DEFAULT NULL::integer, job_key text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, flags text[] DEFAULT NULL::text[], job_key_mode text DEFAULT 'replace'::text) RETURNS live_jobs._private_jobs
    LANGUAGE plpgsql
    AS $$
declare
  v_job "live_jobs"._private_jobs;
begin
  if (job_key is null or job_key_mode is null or job_key_mode in ('replace', 'preserve_run_at')) then
    select * into v_job
    from "live_jobs".add_jobs(
      ARRAY[(
        identifier,
        payload,
        queue_name,
        run_at,
        max_attempts::smallint,
        job_key,
        priority::smallint,
        flags
      )::"live_jobs".job_spec],
      (job_key_mode = 'preserve_run_at')
    )
    limit 1;
    return v_job;
  elsif job_key_mode = 'unsafe_dedupe' then
    -- Ensure all the tasks exist
    insert into "live_jobs"._private_tasks as tasks (identifier)
    values (add_job.identifier)
    on conflict do nothing;
    -- Ensure all the queues exist
    if add_job.queue_name is not null then
      insert into "live_jobs"._private_job_queues as job_queues (queue_name)
      values (add_job.queue_name)
      on conflict do nothing;
    end if;
    -- Insert job, but if one already exists then do nothing, even if the
    -- existing job has already started (and thus represents an out-of-date
    -- world state). This is dangerous because it means that whatever state
    -- change triggered this add_job may not be acted upon (since it happened
    -- after the existing job started executing, but no further job is being
    -- scheduled), but it is useful in very rare circumstances for
    -- de-duplication. If in doubt, DO NOT USE THIS.
    insert into "live_jobs"._private_jobs as jobs (
      job_queue_id,
      task_id,
      payload,
      run_at,
      max_attempts,
      key,
      priority,
      flags
    )
      select
        job_queues.id,
        tasks.id,
        coalesce(add_job.payload, '{}'::json),
        coalesce(add_job.run_at, now()),
        coalesce(add_job.max_attempts::smallint, 25::smallint),
        add_job.job_key,
        coalesce(add_job.priority::smallint, 0::smallint),
        (
          select jsonb_object_agg(flag, true)
          from unnest(add_job.flags) as item(flag)
        )
      from "live_jobs"._private_tasks as tasks
      left join "live_jobs"._private_job_queues as job_queues
      on job_queues.queue_name = add_job.queue_name
      where tasks.identifier = add_job.identifier
    on conflict (key)
      -- Bump the updated_at so that there's something to return
      do update set
        revision = jobs.revision + 1,
        updated_at = now()
      returning *
      into v_job;
    if v_job.revision = 0 then
      perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}');
    end if;
    return v_job;
  else
    raise exception 'Invalid job_key_mode value, expected ''replace'', ''preserve_run_at'' or ''unsafe_dedupe''.' using errcode = 'GWBKM';
  end if;
end;
$$;



CREATE FUNCTION live_jobs.add_jobs(specs live_jobs.job_spec[], job_key_preserve_run_at boolean DEFAULT false) RETURNS SETOF live_jobs._private_jobs
    LANGUAGE plpgsql
    AS $$
begin
  -- Ensure all the tasks exist
  insert into "live_jobs"._private_tasks as tasks (identifier)
  select distinct spec.identifier
  from unnest(specs) spec
  on conflict do nothing;
  -- Ensure all the queues exist
  insert into "live_jobs"._private_job_queues as job_queues (queue_name)
  select distinct spec.queue_name
  from unnest(specs) spec
  where spec.queue_name is not null
  on conflict do nothing;
  -- Ensure any locked jobs have their key cleared - in the case of locked
  -- existing job create a new job instead as it must have already started
  -- executing (i.e. it's world state is out of date, and the fact add_job
  -- has been called again implies there's new information that needs to be
  -- acted upon).
  update "live_jobs"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  from unnest(specs) spec
  where spec.job_key is not null
  and jobs.key = spec.job_key
  and is_available is not true;

  -- WARNING: this count is not 100% accurate; 'on conflict' clause will cause it to be an overestimate
  perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || array_length(specs, 1)::text || '}');

  -- TODO: is there a risk that a conflict could occur depending on the
  -- isolation level?
  return query insert into "live_jobs"._private_jobs as jobs (
    job_queue_id,
    task_id,
    payload,
    run_at,
    max_attempts,
    key,
    priority,
    flags
  )
    select
      job_queues.id,
      tasks.id,
      coalesce(spec.payload, '{}'::json),
      coalesce(spec.run_at, now()),
      coalesce(spec.max_attempts, 25),
      spec.job_key,
      coalesce(spec.priority, 0),
      (
        select jsonb_object_agg(flag, true)
        from unnest(spec.flags) as item(flag)
      )
    from unnest(specs) spec
    inner join "live_jobs"._private_tasks as tasks
    on tasks.identifier = spec.identifier
    left join "live_jobs"._private_job_queues as job_queues
    on job_queues.queue_name = spec.queue_name
  on conflict (key) do update set
    job_queue_id = excluded.job_queue_id,
    task_id = excluded.task_id,
    payload =
      case
      when json_typeof(jobs.payload) = 'array' and json_typeof(excluded.payload) = 'array' then
        (jobs.payload::jsonb || excluded.payload::jsonb)::json
      else
        excluded.payload
      end,
    max_attempts = excluded.max_attempts,
    run_at = (case
      when job_key_preserve_run_at is true and jobs.attempts = 0 then jobs.run_at
      else excluded.run_at
    end),
    priority = excluded.priority,
    revision = jobs.revision + 1,
    flags = excluded.flags,
    -- always reset error/retry state
    attempts = 0,
    last_error = null,
    updated_at = now()
  where jobs.locked_at is null
  returning *;
end;
$$;



CREATE FUNCTION live_jobs.complete_jobs(job_ids bigint[]) RETURNS SETOF live_jobs._private_jobs
    LANGUAGE sql
    AS $$
  delete from "live_jobs"._private_jobs as jobs
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < now() - interval '4 hours'
    )
    returning *;
$$;



CREATE FUNCTION live_jobs.force_unlock_workers(worker_ids text[]) RETURNS void
    LANGUAGE sql
    AS $$
update "live_jobs"._private_jobs as jobs
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
update "live_jobs"._private_job_queues as job_queues
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
$$;



CREATE FUNCTION live_jobs.permanently_fail_jobs(job_ids bigint[], error_message text DEFAULT NULL::text) RETURNS SETOF live_jobs._private_jobs
    LANGUAGE sql
    AS $$
  update "live_jobs"._private_jobs as jobs
    set
      last_error = coalesce(error_message, 'Manually marked as failed'),
      attempts = max_attempts,
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;



CREATE FUNCTION live_jobs.remove_job(job_key text) RETURNS live_jobs._private_jobs
    LANGUAGE plpgsql STRICT
    AS $$
declare
  v_job "live_jobs"._private_jobs;
begin
  -- Delete job if not locked
  delete from "live_jobs"._private_jobs as jobs
    where key = job_key
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
  returning * into v_job;
  if not (v_job is null) then
    perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":-1}');
    return v_job;
  end if;
  -- Otherwise prevent job from retrying, and clear the key
  update "live_jobs"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  where key = job_key
  returning * into v_job;
  return v_job;
end;
$$;



CREATE FUNCTION live_jobs.reschedule_jobs(job_ids bigint[], run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT NULL::integer, attempts integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer) RETURNS SETOF live_jobs._private_jobs
    LANGUAGE sql
    AS $$
  update "live_jobs"._private_jobs as jobs
    set
      run_at = coalesce(reschedule_jobs.run_at, jobs.run_at),
      priority = coalesce(reschedule_jobs.priority::smallint, jobs.priority),
      attempts = coalesce(reschedule_jobs.attempts::smallint, jobs.attempts),
      max_attempts = coalesce(reschedule_jobs.max_attempts::smallint, jobs.max_attempts),
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$$;



CREATE TABLE live.alerted_partners (
    market_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C"
);



CREATE TABLE live.alerts (
    market_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    why text NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    until timestamp(3) with time zone,
    CONSTRAINT alerts_kind_check CHECK ((kind = ANY (ARRAY['vault_evicted'::text, 'vault_silent'::text, 'tick_late'::text])))
);



CREATE TABLE live.api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    label text NOT NULL,
    prefix text NOT NULL,
    secret_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    partner_id text COLLATE pg_catalog."C",
    created_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone,
    CONSTRAINT api_keys_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 120))),
    CONSTRAINT api_keys_prefix_check CHECK ((char_length(prefix) = 12)),
    CONSTRAINT api_keys_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
    CONSTRAINT bound_keys_read_only CHECK (((partner_id IS NULL) OR (scopes <@ '{partner:read,read}'::text[]))),
    CONSTRAINT partner_is_not_the_deployment CHECK ((partner_id <> 'deployment'::text)),
    CONSTRAINT partner_read_is_bound CHECK (((partner_id IS NOT NULL) OR (NOT ('partner:read'::text = ANY (scopes))))),
    CONSTRAINT scopes_known CHECK ((scopes <@ '{read,write,keys:admin,partner:admin,partner:read}'::text[])),
    CONSTRAINT scopes_not_empty CHECK ((cardinality(scopes) > 0)),
    CONSTRAINT scopes_unique CHECK (live.all_distinct(scopes))
);



CREATE TABLE live.audit_chain (
    single boolean DEFAULT true NOT NULL,
    first bigint DEFAULT 0 NOT NULL,
    first_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    last bigint DEFAULT 0 NOT NULL,
    last_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
    CONSTRAINT audit_chain_check CHECK ((first <= last)),
    CONSTRAINT audit_chain_single_check CHECK (single)
);



CREATE TABLE live.audit_entries (
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp(3) with time zone NOT NULL,
    kind text NOT NULL,
    key_id text COLLATE pg_catalog."C",
    session_id text COLLATE pg_catalog."C",
    label text,
    "user" text,
    partner_id text COLLATE pg_catalog."C",
    address text,
    operation text NOT NULL,
    subjects text[] NOT NULL,
    before jsonb,
    after jsonb,
    request_id text,
    CONSTRAINT audit_entries_check CHECK (((kind = ANY (ARRAY['key'::text, 'session'::text])) = (key_id IS NOT NULL))),
    CONSTRAINT audit_entries_kind_check CHECK ((kind = ANY (ARRAY['key'::text, 'session'::text, 'cli'::text, 'system'::text])))
);



CREATE TABLE live.audit_links (
    number bigint NOT NULL,
    entry_id text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    CONSTRAINT audit_links_hash_check CHECK ((octet_length(hash) = 32))
);



CREATE TABLE live.audit_queue (
    entry_id text NOT NULL COLLATE pg_catalog."C"
);



CREATE TABLE live.blended_points (
    market_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    apy double precision,
    tvl numeric(40,0),
    vaults integer NOT NULL,
    CONSTRAINT blended_points_vaults_check CHECK ((vaults >= 0))
);



CREATE TABLE live.book_points (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    slot smallint NOT NULL,
    principal numeric(40,0) NOT NULL,
    campaign_moment numeric NOT NULL,
    plain_moment numeric NOT NULL
)
WITH (fillfactor='50');



CREATE TABLE live.book_revenue (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    slot smallint NOT NULL,
    fee numeric(40,0) NOT NULL,
    partner_revenue numeric(40,0) NOT NULL,
    carried_loss numeric(40,0) NOT NULL
)
WITH (fillfactor='50');



CREATE TABLE live.book_shares (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    book text NOT NULL,
    vault_id text NOT NULL COLLATE pg_catalog."C",
    slot smallint NOT NULL,
    market_id text NOT NULL COLLATE pg_catalog."C",
    shares numeric(60,0) NOT NULL,
    positions integer NOT NULL,
    since timestamp(3) with time zone NOT NULL,
    CONSTRAINT book_shares_book_check CHECK ((book = ANY (ARRAY['routed'::text, 'lending'::text, 'hold'::text])))
)
WITH (fillfactor='50');



CREATE TABLE live.book_totals (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    slot smallint NOT NULL,
    deposited numeric(40,0) NOT NULL,
    withdrawn numeric(40,0) NOT NULL,
    deposits bigint NOT NULL,
    withdrawals bigint NOT NULL,
    accrued numeric(40,0) NOT NULL,
    costs numeric(40,0) NOT NULL,
    settled_lending numeric(40,0) NOT NULL,
    settled_hold numeric(40,0) NOT NULL,
    principal numeric(40,0) NOT NULL,
    capital_moment numeric NOT NULL,
    opened bigint NOT NULL,
    closed bigint NOT NULL,
    first_at timestamp(3) with time zone NOT NULL
)
WITH (fillfactor='50');



CREATE TABLE live.book_users (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    slot smallint NOT NULL,
    users bigint NOT NULL
)
WITH (fillfactor='50');



CREATE TABLE live.campaign_terms (
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    from_at timestamp(3) with time zone NOT NULL,
    status text NOT NULL,
    multiplier_hundredths integer NOT NULL,
    starts_at timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone,
    CONSTRAINT campaign_terms_multiplier_hundredths_check CHECK (((multiplier_hundredths >= 100) AND (multiplier_hundredths <= 1000))),
    CONSTRAINT campaign_terms_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);



CREATE TABLE live.campaigns (
    id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    status text NOT NULL,
    asset text,
    multiplier_hundredths integer NOT NULL,
    starts_at timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone,
    metadata jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT campaigns_check CHECK ((ends_at > starts_at)),
    CONSTRAINT campaigns_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text)),
    CONSTRAINT campaigns_multiplier_hundredths_check CHECK (((multiplier_hundredths >= 100) AND (multiplier_hundredths <= 1000))),
    CONSTRAINT campaigns_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
    CONSTRAINT campaigns_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);



CREATE TABLE live.checked_accounts (
    user_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    settled bigint NOT NULL,
    settled_at timestamp(3) with time zone,
    carried_loss numeric(40,0) NOT NULL,
    sums jsonb NOT NULL,
    total_fee numeric(40,0) NOT NULL,
    total_partner numeric(40,0) NOT NULL
)
WITH (fillfactor='80');



CREATE TABLE live.checked_moves (
    decision_id text NOT NULL COLLATE pg_catalog."C",
    cash numeric(40,0) NOT NULL,
    vault numeric(40,0) NOT NULL,
    cost numeric(40,0) NOT NULL,
    gain numeric(40,0) NOT NULL
);



CREATE TABLE live.checked_points (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    slot smallint NOT NULL,
    principal numeric(40,0) NOT NULL,
    campaign_moment numeric NOT NULL,
    plain_moment numeric NOT NULL
);



CREATE TABLE live.checked_positions (
    id text NOT NULL COLLATE pg_catalog."C",
    market_id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    status text NOT NULL,
    vault_id text NOT NULL COLLATE pg_catalog."C",
    origin_vault_id text COLLATE pg_catalog."C",
    lending_vault_id text NOT NULL COLLATE pg_catalog."C",
    slot smallint NOT NULL,
    shares numeric(60,0) NOT NULL,
    lending_shares numeric(60,0) NOT NULL,
    hold_shares numeric(60,0) NOT NULL,
    deposited numeric(40,0) NOT NULL,
    withdrawn numeric(40,0) NOT NULL,
    accrued numeric(40,0) NOT NULL,
    costs numeric(40,0) NOT NULL,
    settled_lending numeric(40,0) NOT NULL,
    settled_hold numeric(40,0) NOT NULL,
    withdrawals integer NOT NULL,
    campaign_id text COLLATE pg_catalog."C",
    campaign_moment numeric NOT NULL,
    plain_moment numeric NOT NULL,
    capital_moment numeric NOT NULL,
    opened_at timestamp(3) with time zone NOT NULL,
    active_at timestamp(3) with time zone,
    closed_at timestamp(3) with time zone,
    accrued_at timestamp(3) with time zone NOT NULL,
    transit_id text COLLATE pg_catalog."C",
    deposit_id text COLLATE pg_catalog."C",
    entries bigint NOT NULL,
    last_at timestamp(3) with time zone NOT NULL,
    last_id text NOT NULL COLLATE pg_catalog."C",
    digest numeric NOT NULL
)
WITH (fillfactor='50');



CREATE TABLE live.checked_revenue (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    slot smallint NOT NULL,
    fee numeric(40,0) NOT NULL,
    partner_revenue numeric(40,0) NOT NULL,
    carried_loss numeric(40,0) NOT NULL
);



CREATE TABLE live.checked_shares (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    book text NOT NULL,
    vault_id text NOT NULL COLLATE pg_catalog."C",
    slot smallint NOT NULL,
    market_id text NOT NULL COLLATE pg_catalog."C",
    shares numeric(60,0) NOT NULL,
    positions integer NOT NULL,
    since timestamp(3) with time zone NOT NULL
);



CREATE TABLE live.checked_totals (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    slot smallint NOT NULL,
    deposited numeric(40,0) NOT NULL,
    withdrawn numeric(40,0) NOT NULL,
    deposits bigint NOT NULL,
    withdrawals bigint NOT NULL,
    accrued numeric(40,0) NOT NULL,
    costs numeric(40,0) NOT NULL,
    settled_lending numeric(40,0) NOT NULL,
    settled_hold numeric(40,0) NOT NULL,
    principal numeric(40,0) NOT NULL,
    capital_moment numeric NOT NULL,
    opened bigint NOT NULL,
    closed bigint NOT NULL,
    first_at timestamp(3) with time zone NOT NULL
);



CREATE TABLE live.checked_vaults (
    market_id text NOT NULL COLLATE pg_catalog."C",
    vault_id text NOT NULL COLLATE pg_catalog."C",
    slot smallint NOT NULL,
    shares numeric(60,0) NOT NULL
);



CREATE TABLE live.closed_books (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    day timestamp(3) with time zone NOT NULL,
    books jsonb NOT NULL
);



CREATE TABLE live.daily_closings (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    day timestamp(3) with time zone NOT NULL,
    deposits numeric(40,0) NOT NULL,
    withdrawals numeric(40,0) NOT NULL,
    accrued numeric(40,0) NOT NULL,
    costs numeric(40,0) NOT NULL,
    fee numeric(40,0) NOT NULL,
    partner_revenue numeric(40,0) NOT NULL,
    carried_loss numeric(40,0) NOT NULL,
    grains numeric NOT NULL,
    lending_value numeric(40,0) NOT NULL,
    hold_value numeric(40,0) NOT NULL,
    settled_lending numeric(40,0) NOT NULL,
    settled_hold numeric(40,0) NOT NULL,
    CONSTRAINT daily_closings_day_check CHECK ((date_trunc('day'::text, day, 'UTC'::text) = day))
);



CREATE TABLE live.decisions (
    id text NOT NULL COLLATE pg_catalog."C",
    market_id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    asset text NOT NULL,
    user_id text COLLATE pg_catalog."C",
    position_id text COLLATE pg_catalog."C",
    positions integer NOT NULL,
    from_vault_id text COLLATE pg_catalog."C",
    to_vault_id text COLLATE pg_catalog."C",
    hour timestamp(3) with time zone NOT NULL,
    record json NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    record_bytes integer,
    blocked text,
    CONSTRAINT decisions_kind_check CHECK ((kind = ANY (ARRAY['route'::text, 'rebalance'::text, 'hold'::text]))),
    CONSTRAINT decisions_positions_check CHECK ((positions >= 0))
);



CREATE TABLE live.deliveries (
    id text NOT NULL COLLATE pg_catalog."C",
    event_id text NOT NULL COLLATE pg_catalog."C",
    webhook_id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    attempts integer NOT NULL,
    url text,
    signature text,
    response_status integer,
    failure text,
    at timestamp(3) with time zone NOT NULL,
    claimed_at timestamp(3) with time zone,
    latency_ms integer,
    host text COLLATE pg_catalog."C",
    CONSTRAINT deliveries_attempts_check CHECK ((attempts = ANY (ARRAY[0, 1]))),
    CONSTRAINT deliveries_check CHECK (((status = 'failed'::text) = (failure IS NOT NULL))),
    CONSTRAINT deliveries_check1 CHECK (((status = 'queued'::text) OR ((url IS NOT NULL) AND (signature IS NOT NULL) AND (claimed_at IS NOT NULL)))),
    CONSTRAINT deliveries_failure_check CHECK ((failure = ANY (ARRAY['blocked_address'::text, 'dns_error'::text, 'connect_error'::text, 'tls_error'::text, 'timeout'::text, 'http_status'::text, 'interrupted'::text, 'dropped'::text]))),
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'pending'::text, 'delivered'::text, 'failed'::text])))
);



CREATE TABLE live.deployment_changes (
    number integer NOT NULL,
    identity jsonb NOT NULL,
    reason text NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT deployment_changes_reason_check CHECK ((length(reason) <= 500))
);



ALTER TABLE live.deployment_changes ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME live.deployment_changes_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE live.endpoint_health (
    webhook_id text NOT NULL COLLATE pg_catalog."C",
    last_success_at timestamp(3) with time zone,
    failing_since timestamp(3) with time zone,
    consecutive_failures integer DEFAULT 0 NOT NULL,
    CONSTRAINT endpoint_health_check CHECK (((failing_since IS NULL) = (consecutive_failures = 0)))
)
WITH (fillfactor='50');



CREATE TABLE live.events (
    id text NOT NULL COLLATE pg_catalog."C",
    partner_id text COLLATE pg_catalog."C",
    type text NOT NULL,
    envelope json NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL,
    fanned_out boolean NOT NULL,
    envelope_bytes integer
);



CREATE TABLE live.idempotency_claims (
    key_id text NOT NULL COLLATE pg_catalog."C",
    route text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    fingerprint bytea NOT NULL,
    answer bytea,
    subject_id text COLLATE pg_catalog."C",
    claimed_at timestamp(3) with time zone NOT NULL,
    scope text NOT NULL COLLATE pg_catalog."C",
    packed bytea,
    CONSTRAINT idempotency_claims_check CHECK (((answer IS NULL) OR (packed IS NULL)))
);



CREATE TABLE live.ledger_checks (
    number integer NOT NULL,
    verified_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    is_full boolean NOT NULL,
    entries bigint NOT NULL,
    differences integer NOT NULL,
    seal text,
    CONSTRAINT ledger_checks_check CHECK (((seal IS NULL) = (differences > 0))),
    CONSTRAINT ledger_checks_differences_check CHECK ((differences >= 0)),
    CONSTRAINT ledger_checks_entries_check CHECK ((entries >= 0))
);



ALTER TABLE live.ledger_checks ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME live.ledger_checks_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE live.ledger_entries (
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp(3) with time zone NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL,
    type text NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    position_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    vault_id text NOT NULL COLLATE pg_catalog."C",
    from_vault_id text COLLATE pg_catalog."C",
    amount numeric(40,0) NOT NULL,
    cost numeric(40,0) NOT NULL,
    apy double precision,
    share_index numeric(60,0) NOT NULL,
    from_index numeric(60,0),
    lending_index numeric(60,0),
    hold_index numeric(60,0),
    fee_bps integer,
    share_bps integer,
    revenue_place bigint,
    user_value numeric(40,0),
    fee numeric(40,0) DEFAULT 0 NOT NULL,
    partner_revenue numeric(40,0) DEFAULT 0 NOT NULL,
    carried_loss numeric(40,0) DEFAULT 0 NOT NULL,
    decision_id text COLLATE pg_catalog."C",
    tx_hash text COLLATE pg_catalog."C",
    voids text COLLATE pg_catalog."C",
    CONSTRAINT ledger_entries_check CHECK ((user_value >= amount)),
    CONSTRAINT ledger_entries_check1 CHECK (((amount > (0)::numeric) OR ((type = 'yield_accrual'::text) AND (amount <> (0)::numeric)))),
    CONSTRAINT ledger_entries_check10 CHECK (((revenue_place IS NOT NULL) OR ((fee = (0)::numeric) AND (partner_revenue = (0)::numeric) AND (carried_loss = (0)::numeric)))),
    CONSTRAINT ledger_entries_check2 CHECK (((type = 'rebalance'::text) = (from_vault_id IS NOT NULL))),
    CONSTRAINT ledger_entries_check3 CHECK (((type = 'rebalance'::text) = (from_index IS NOT NULL))),
    CONSTRAINT ledger_entries_check4 CHECK (((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text])) = ((lending_index IS NOT NULL) AND (hold_index IS NOT NULL)))),
    CONSTRAINT ledger_entries_check5 CHECK (((type = 'yield_accrual'::text) = ((fee_bps IS NOT NULL) AND (share_bps IS NOT NULL)))),
    CONSTRAINT ledger_entries_check6 CHECK (((type = 'rebalance'::text) OR (cost = (0)::numeric))),
    CONSTRAINT ledger_entries_check7 CHECK (((revenue_place IS NOT NULL) = ((type = 'yield_accrual'::text) OR (cost > (0)::numeric) OR (user_value IS NOT NULL)))),
    CONSTRAINT ledger_entries_check8 CHECK (((type = 'withdrawal'::text) OR (user_value IS NULL))),
    CONSTRAINT ledger_entries_check9 CHECK ((recorded_at >= at)),
    CONSTRAINT ledger_entries_cost_check CHECK ((cost >= (0)::numeric)),
    CONSTRAINT ledger_entries_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'rebalance'::text, 'yield_accrual'::text])))
)
PARTITION BY RANGE (at);



CREATE TABLE live.ledger_entries_2026_01 (
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp(3) with time zone NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL,
    type text NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    position_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    vault_id text NOT NULL COLLATE pg_catalog."C",
    from_vault_id text COLLATE pg_catalog."C",
    amount numeric(40,0) NOT NULL,
    cost numeric(40,0) NOT NULL,
    apy double precision,
    share_index numeric(60,0) NOT NULL,
    from_index numeric(60,0),
    lending_index numeric(60,0),
    hold_index numeric(60,0),
    fee_bps integer,
    share_bps integer,
    revenue_place bigint,
    user_value numeric(40,0),
    fee numeric(40,0) DEFAULT 0 NOT NULL,
    partner_revenue numeric(40,0) DEFAULT 0 NOT NULL,
    carried_loss numeric(40,0) DEFAULT 0 NOT NULL,
    decision_id text COLLATE pg_catalog."C",
    tx_hash text COLLATE pg_catalog."C",
    voids text COLLATE pg_catalog."C",
    CONSTRAINT ledger_entries_check CHECK ((user_value >= amount)),
    CONSTRAINT ledger_entries_check1 CHECK (((amount > (0)::numeric) OR ((type = 'yield_accrual'::text) AND (amount <> (0)::numeric)))),
    CONSTRAINT ledger_entries_check10 CHECK (((revenue_place IS NOT NULL) OR ((fee = (0)::numeric) AND (partner_revenue = (0)::numeric) AND (carried_loss = (0)::numeric)))),
    CONSTRAINT ledger_entries_check2 CHECK (((type = 'rebalance'::text) = (from_vault_id IS NOT NULL))),
    CONSTRAINT ledger_entries_check3 CHECK (((type = 'rebalance'::text) = (from_index IS NOT NULL))),
    CONSTRAINT ledger_entries_check4 CHECK (((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text])) = ((lending_index IS NOT NULL) AND (hold_index IS NOT NULL)))),
    CONSTRAINT ledger_entries_check5 CHECK (((type = 'yield_accrual'::text) = ((fee_bps IS NOT NULL) AND (share_bps IS NOT NULL)))),
    CONSTRAINT ledger_entries_check6 CHECK (((type = 'rebalance'::text) OR (cost = (0)::numeric))),
    CONSTRAINT ledger_entries_check7 CHECK (((revenue_place IS NOT NULL) = ((type = 'yield_accrual'::text) OR (cost > (0)::numeric) OR (user_value IS NOT NULL)))),
    CONSTRAINT ledger_entries_check8 CHECK (((type = 'withdrawal'::text) OR (user_value IS NULL))),
    CONSTRAINT ledger_entries_check9 CHECK ((recorded_at >= at)),
    CONSTRAINT ledger_entries_cost_check CHECK ((cost >= (0)::numeric)),
    CONSTRAINT ledger_entries_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'rebalance'::text, 'yield_accrual'::text])))
);



CREATE TABLE live.ledger_entries_2026_02 (
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp(3) with time zone NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL,
    type text NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    position_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    vault_id text NOT NULL COLLATE pg_catalog."C",
    from_vault_id text COLLATE pg_catalog."C",
    amount numeric(40,0) NOT NULL,
    cost numeric(40,0) NOT NULL,
    apy double precision,
    share_index numeric(60,0) NOT NULL,
    from_index numeric(60,0),
    lending_index numeric(60,0),
    hold_index numeric(60,0),
    fee_bps integer,
    share_bps integer,
    revenue_place bigint,
    user_value numeric(40,0),
    fee numeric(40,0) DEFAULT 0 NOT NULL,
    partner_revenue numeric(40,0) DEFAULT 0 NOT NULL,
    carried_loss numeric(40,0) DEFAULT 0 NOT NULL,
    decision_id text COLLATE pg_catalog."C",
    tx_hash text COLLATE pg_catalog."C",
    voids text COLLATE pg_catalog."C",
    CONSTRAINT ledger_entries_check CHECK ((user_value >= amount)),
    CONSTRAINT ledger_entries_check1 CHECK (((amount > (0)::numeric) OR ((type = 'yield_accrual'::text) AND (amount <> (0)::numeric)))),
    CONSTRAINT ledger_entries_check10 CHECK (((revenue_place IS NOT NULL) OR ((fee = (0)::numeric) AND (partner_revenue = (0)::numeric) AND (carried_loss = (0)::numeric)))),
    CONSTRAINT ledger_entries_check2 CHECK (((type = 'rebalance'::text) = (from_vault_id IS NOT NULL))),
    CONSTRAINT ledger_entries_check3 CHECK (((type = 'rebalance'::text) = (from_index IS NOT NULL))),
    CONSTRAINT ledger_entries_check4 CHECK (((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text])) = ((lending_index IS NOT NULL) AND (hold_index IS NOT NULL)))),
    CONSTRAINT ledger_entries_check5 CHECK (((type = 'yield_accrual'::text) = ((fee_bps IS NOT NULL) AND (share_bps IS NOT NULL)))),
    CONSTRAINT ledger_entries_check6 CHECK (((type = 'rebalance'::text) OR (cost = (0)::numeric))),
    CONSTRAINT ledger_entries_check7 CHECK (((revenue_place IS NOT NULL) = ((type = 'yield_accrual'::text) OR (cost > (0)::numeric) OR (user_value IS NOT NULL)))),
    CONSTRAINT ledger_entries_check8 CHECK (((type = 'withdrawal'::text) OR (user_value IS NULL))),
    CONSTRAINT ledger_entries_check9 CHECK ((recorded_at >= at)),
    CONSTRAINT ledger_entries_cost_check CHECK ((cost >= (0)::numeric)),
    CONSTRAINT ledger_entries_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'rebalance'::text, 'yield_accrual'::text])))
);



CREATE TABLE live.ledger_entries_2026_11 (
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp(3) with time zone NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL,
    type text NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    position_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    vault_id text NOT NULL COLLATE pg_catalog."C",
    from_vault_id text COLLATE pg_catalog."C",
    amount numeric(40,0) NOT NULL,
    cost numeric(40,0) NOT NULL,
    apy double precision,
    share_index numeric(60,0) NOT NULL,
    from_index numeric(60,0),
    lending_index numeric(60,0),
    hold_index numeric(60,0),
    fee_bps integer,
    share_bps integer,
    revenue_place bigint,
    user_value numeric(40,0),
    fee numeric(40,0) DEFAULT 0 NOT NULL,
    partner_revenue numeric(40,0) DEFAULT 0 NOT NULL,
    carried_loss numeric(40,0) DEFAULT 0 NOT NULL,
    decision_id text COLLATE pg_catalog."C",
    tx_hash text COLLATE pg_catalog."C",
    voids text COLLATE pg_catalog."C",
    CONSTRAINT ledger_entries_check CHECK ((user_value >= amount)),
    CONSTRAINT ledger_entries_check1 CHECK (((amount > (0)::numeric) OR ((type = 'yield_accrual'::text) AND (amount <> (0)::numeric)))),
    CONSTRAINT ledger_entries_check10 CHECK (((revenue_place IS NOT NULL) OR ((fee = (0)::numeric) AND (partner_revenue = (0)::numeric) AND (carried_loss = (0)::numeric)))),
    CONSTRAINT ledger_entries_check2 CHECK (((type = 'rebalance'::text) = (from_vault_id IS NOT NULL))),
    CONSTRAINT ledger_entries_check3 CHECK (((type = 'rebalance'::text) = (from_index IS NOT NULL))),
    CONSTRAINT ledger_entries_check4 CHECK (((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text])) = ((lending_index IS NOT NULL) AND (hold_index IS NOT NULL)))),
    CONSTRAINT ledger_entries_check5 CHECK (((type = 'yield_accrual'::text) = ((fee_bps IS NOT NULL) AND (share_bps IS NOT NULL)))),
    CONSTRAINT ledger_entries_check6 CHECK (((type = 'rebalance'::text) OR (cost = (0)::numeric))),
    CONSTRAINT ledger_entries_check7 CHECK (((revenue_place IS NOT NULL) = ((type = 'yield_accrual'::text) OR (cost > (0)::numeric) OR (user_value IS NOT NULL)))),
    CONSTRAINT ledger_entries_check8 CHECK (((type = 'withdrawal'::text) OR (user_value IS NULL))),
    CONSTRAINT ledger_entries_check9 CHECK ((recorded_at >= at)),
    CONSTRAINT ledger_entries_cost_check CHECK ((cost >= (0)::numeric)),
    CONSTRAINT ledger_entries_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'rebalance'::text, 'yield_accrual'::text])))
);



CREATE TABLE live.ledger_entries_2026_12 (
    id text NOT NULL COLLATE pg_catalog."C",
    at timestamp(3) with time zone NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL,
    type text NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    position_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    vault_id text NOT NULL COLLATE pg_catalog."C",
    from_vault_id text COLLATE pg_catalog."C",
    amount numeric(40,0) NOT NULL,
    cost numeric(40,0) NOT NULL,
    apy double precision,
    share_index numeric(60,0) NOT NULL,
    from_index numeric(60,0),
    lending_index numeric(60,0),
    hold_index numeric(60,0),
    fee_bps integer,
    share_bps integer,
    revenue_place bigint,
    user_value numeric(40,0),
    fee numeric(40,0) DEFAULT 0 NOT NULL,
    partner_revenue numeric(40,0) DEFAULT 0 NOT NULL,
    carried_loss numeric(40,0) DEFAULT 0 NOT NULL,
    decision_id text COLLATE pg_catalog."C",
    tx_hash text COLLATE pg_catalog."C",
    voids text COLLATE pg_catalog."C",
    CONSTRAINT ledger_entries_check CHECK ((user_value >= amount)),
    CONSTRAINT ledger_entries_check1 CHECK (((amount > (0)::numeric) OR ((type = 'yield_accrual'::text) AND (amount <> (0)::numeric)))),
    CONSTRAINT ledger_entries_check10 CHECK (((revenue_place IS NOT NULL) OR ((fee = (0)::numeric) AND (partner_revenue = (0)::numeric) AND (carried_loss = (0)::numeric)))),
    CONSTRAINT ledger_entries_check2 CHECK (((type = 'rebalance'::text) = (from_vault_id IS NOT NULL))),
    CONSTRAINT ledger_entries_check3 CHECK (((type = 'rebalance'::text) = (from_index IS NOT NULL))),
    CONSTRAINT ledger_entries_check4 CHECK (((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text])) = ((lending_index IS NOT NULL) AND (hold_index IS NOT NULL)))),
    CONSTRAINT ledger_entries_check5 CHECK (((type = 'yield_accrual'::text) = ((fee_bps IS NOT NULL) AND (share_bps IS NOT NULL)))),
    CONSTRAINT ledger_entries_check6 CHECK (((type = 'rebalance'::text) OR (cost = (0)::numeric))),
    CONSTRAINT ledger_entries_check7 CHECK (((revenue_place IS NOT NULL) = ((type = 'yield_accrual'::text) OR (cost > (0)::numeric) OR (user_value IS NOT NULL)))),
    CONSTRAINT ledger_entries_check8 CHECK (((type = 'withdrawal'::text) OR (user_value IS NULL))),
    CONSTRAINT ledger_entries_check9 CHECK ((recorded_at >= at)),
    CONSTRAINT ledger_entries_cost_check CHECK ((cost >= (0)::numeric)),
    CONSTRAINT ledger_entries_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'rebalance'::text, 'yield_accrual'::text])))
);



CREATE TABLE live.ledger_heads (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    recorded_at timestamp(3) with time zone NOT NULL,
    closed_until timestamp(3) with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
)
WITH (fillfactor='50');



CREATE TABLE live.markets (
    id text NOT NULL COLLATE pg_catalog."C",
    ticked_hour timestamp(3) with time zone,
    routed_hour timestamp(3) with time zone,
    owner_id text COLLATE pg_catalog."C",
    seed text,
    hours_ahead integer DEFAULT 0 NOT NULL,
    scenario text,
    scenario_from timestamp(3) with time zone,
    begun_hour timestamp(3) with time zone,
    booked_hour timestamp(3) with time zone,
    CONSTRAINT markets_begun_hour_check CHECK ((date_trunc('hour'::text, begun_hour, 'UTC'::text) = begun_hour)),
    CONSTRAINT markets_check CHECK (((owner_id IS NOT NULL) OR ((hours_ahead = 0) AND (seed IS NULL) AND (scenario IS NULL)))),
    CONSTRAINT markets_check1 CHECK (((scenario IS NULL) = (scenario_from IS NULL))),
    CONSTRAINT markets_hours_ahead_check CHECK ((hours_ahead >= 0)),
    CONSTRAINT markets_scenario_check CHECK ((scenario = ANY (ARRAY['calm'::text, 'rising'::text, 'falling'::text, 'volatile'::text, 'outage'::text, 'loss'::text, 'run'::text, 'failing'::text]))),
    CONSTRAINT markets_seed_check CHECK (((char_length(seed) >= 1) AND (char_length(seed) <= 64))),
    CONSTRAINT markets_ticked_hour_check CHECK ((date_trunc('hour'::text, ticked_hour, 'UTC'::text) = ticked_hour))
);



CREATE TABLE live.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);



CREATE SEQUENCE live.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;



ALTER SEQUENCE live.migrations_id_seq OWNED BY live.migrations.id;



CREATE TABLE live.move_order_positions (
    order_id text NOT NULL COLLATE pg_catalog."C",
    position_id text NOT NULL COLLATE pg_catalog."C",
    cost numeric(40,0) DEFAULT 0 NOT NULL,
    waiting numeric(40,0) DEFAULT 0 NOT NULL,
    CONSTRAINT move_order_positions_cost_check CHECK ((cost >= (0)::numeric)),
    CONSTRAINT move_order_positions_waiting_check CHECK ((waiting >= (0)::numeric))
);



CREATE TABLE live.move_orders (
    id text NOT NULL COLLATE pg_catalog."C",
    decision_id text NOT NULL COLLATE pg_catalog."C",
    market_id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    position_id text COLLATE pg_catalog."C",
    batch_id text COLLATE pg_catalog."C",
    asset text NOT NULL,
    from_vault_id text NOT NULL COLLATE pg_catalog."C",
    to_vault_id text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL,
    urgent boolean NOT NULL,
    status text NOT NULL,
    positions integer NOT NULL,
    amount numeric(40,0) NOT NULL,
    expected_cost numeric(40,0) NOT NULL,
    promised numeric(40,0),
    horizon_hours integer NOT NULL,
    requested_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    taken_at timestamp(3) with time zone,
    taken_by text COLLATE pg_catalog."C",
    redeemed_at timestamp(3) with time zone,
    redeemed_tx_hash text,
    redeemed_amount numeric(40,0),
    redeemed_value numeric(40,0),
    settled_at timestamp(3) with time zone,
    settled_tx_hash text,
    settled_amount numeric(40,0),
    settled_value numeric(40,0),
    cost numeric(40,0) DEFAULT 0 NOT NULL,
    gain numeric(40,0) DEFAULT 0 NOT NULL,
    ended_at timestamp(3) with time zone,
    failure text,
    note text,
    redeemed_by text COLLATE pg_catalog."C",
    settled_by text COLLATE pg_catalog."C",
    review_status text,
    review_gain numeric(40,0),
    review_since timestamp(3) with time zone,
    review_booked numeric(40,0),
    reviewed_at timestamp(3) with time zone,
    review_note text,
    CONSTRAINT move_orders_amount_check CHECK ((amount > (0)::numeric)),
    CONSTRAINT move_orders_check CHECK (((taken_by IS NULL) OR (taken_at IS NOT NULL))),
    CONSTRAINT move_orders_check1 CHECK (((status = ANY (ARRAY['settled'::text, 'failed'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT move_orders_check2 CHECK (((status = 'failed'::text) = (failure IS NOT NULL))),
    CONSTRAINT move_orders_check3 CHECK ((((redeemed_at IS NULL) = (redeemed_tx_hash IS NULL)) AND ((redeemed_at IS NULL) = (redeemed_amount IS NULL)))),
    CONSTRAINT move_orders_check4 CHECK ((((settled_at IS NULL) = (settled_tx_hash IS NULL)) AND ((settled_at IS NULL) = (settled_amount IS NULL)))),
    CONSTRAINT move_orders_check5 CHECK (((review_booked >= (0)::numeric) AND (review_booked <= review_gain))),
    CONSTRAINT move_orders_check6 CHECK ((((review_status IS NULL) = (review_gain IS NULL)) AND ((review_status IS NULL) = (review_since IS NULL)))),
    CONSTRAINT move_orders_check7 CHECK (((((review_status = ANY (ARRAY['approved'::text, 'rejected'::text])) IS TRUE) = (reviewed_at IS NOT NULL)) AND ((reviewed_at IS NULL) = (review_booked IS NULL)))),
    CONSTRAINT move_orders_check8 CHECK (((review_status IS DISTINCT FROM 'rejected'::text) OR (review_booked = (0)::numeric))),
    CONSTRAINT move_orders_cost_check CHECK ((cost >= (0)::numeric)),
    CONSTRAINT move_orders_expected_cost_check CHECK ((expected_cost >= (0)::numeric)),
    CONSTRAINT move_orders_failure_check CHECK ((failure = ANY (ARRAY['lapsed'::text, 'reported'::text, 'refused'::text, 'superseded'::text, 'empty'::text]))),
    CONSTRAINT move_orders_gain_check CHECK ((gain >= (0)::numeric)),
    CONSTRAINT move_orders_horizon_hours_check CHECK ((horizon_hours > 0)),
    CONSTRAINT move_orders_positions_check CHECK ((positions >= 0)),
    CONSTRAINT move_orders_redeemed_amount_check CHECK ((redeemed_amount > (0)::numeric)),
    CONSTRAINT move_orders_redeemed_value_check CHECK ((redeemed_value > (0)::numeric)),
    CONSTRAINT move_orders_review_gain_check CHECK ((review_gain > (0)::numeric)),
    CONSTRAINT move_orders_review_status_check CHECK ((review_status = ANY (ARRAY['pending_review'::text, 'approved'::text, 'rejected'::text]))),
    CONSTRAINT move_orders_settled_amount_check CHECK ((settled_amount > (0)::numeric)),
    CONSTRAINT move_orders_settled_value_check CHECK ((settled_value > (0)::numeric)),
    CONSTRAINT move_orders_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'redeeming'::text, 'arriving'::text, 'settled'::text, 'failed'::text])))
);



CREATE TABLE live.moves (
    decision_id text NOT NULL COLLATE pg_catalog."C",
    market_id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    from_vault_id text NOT NULL COLLATE pg_catalog."C",
    to_vault_id text NOT NULL COLLATE pg_catalog."C",
    decided_at timestamp(3) with time zone NOT NULL,
    after_id text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    moved integer DEFAULT 0 NOT NULL,
    amount_moved numeric(40,0) DEFAULT 0 NOT NULL,
    cost_taken numeric(40,0) DEFAULT 0 NOT NULL,
    done_at timestamp(3) with time zone,
    amount numeric(40,0),
    cost numeric(40,0),
    room numeric(60,0),
    after_shares numeric(60,0),
    promised numeric(40,0),
    due_hour timestamp(3) with time zone,
    realised numeric(40,0),
    realised_hour timestamp(3) with time zone,
    leg smallint DEFAULT 1 NOT NULL,
    evicts boolean DEFAULT false NOT NULL,
    arrives_hour timestamp(3) with time zone,
    CONSTRAINT moves_amount_check CHECK ((amount > (0)::numeric)),
    CONSTRAINT moves_check CHECK (((leg = 2) = (arrives_hour IS NOT NULL))),
    CONSTRAINT moves_cost_check CHECK ((cost >= (0)::numeric)),
    CONSTRAINT moves_leg_check CHECK ((leg = ANY (ARRAY[1, 2]))),
    CONSTRAINT moves_room_check CHECK ((room >= (0)::numeric))
);



CREATE TABLE live.partner_policies (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    own jsonb NOT NULL,
    bounds jsonb NOT NULL,
    in_force jsonb NOT NULL,
    digest text NOT NULL,
    CONSTRAINT partner_policies_version_check CHECK ((version > 0))
);



CREATE TABLE live.partner_terms (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    from_at timestamp(3) with time zone NOT NULL,
    performance_fee_bps integer NOT NULL,
    revenue_share_bps integer NOT NULL,
    CONSTRAINT partner_terms_performance_fee_bps_check CHECK (((performance_fee_bps >= 0) AND (performance_fee_bps <= 10000))),
    CONSTRAINT partner_terms_revenue_share_bps_check CHECK (((revenue_share_bps >= 0) AND (revenue_share_bps <= 10000)))
);



CREATE TABLE live.partners (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    status text NOT NULL,
    contact_email text,
    performance_fee_bps integer NOT NULL,
    revenue_share_bps integer NOT NULL,
    metadata jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    disabled_at timestamp(3) with time zone,
    events_from timestamp(3) with time zone,
    CONSTRAINT partners_check CHECK (((status = 'disabled'::text) = (disabled_at IS NOT NULL))),
    CONSTRAINT partners_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text)),
    CONSTRAINT partners_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
    CONSTRAINT partners_performance_fee_bps_check CHECK (((performance_fee_bps >= 0) AND (performance_fee_bps <= 10000))),
    CONSTRAINT partners_revenue_share_bps_check CHECK (((revenue_share_bps >= 0) AND (revenue_share_bps <= 10000))),
    CONSTRAINT partners_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);



CREATE TABLE live.positions (
    id text NOT NULL COLLATE pg_catalog."C",
    market_id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    status text NOT NULL,
    vault_id text NOT NULL COLLATE pg_catalog."C",
    origin_vault_id text COLLATE pg_catalog."C",
    lending_vault_id text NOT NULL COLLATE pg_catalog."C",
    slot smallint NOT NULL,
    shares numeric(60,0) NOT NULL,
    lending_shares numeric(60,0) NOT NULL,
    hold_shares numeric(60,0) NOT NULL,
    deposited numeric(40,0) NOT NULL,
    withdrawn numeric(40,0) NOT NULL,
    accrued numeric(40,0) NOT NULL,
    costs numeric(40,0) NOT NULL,
    settled_lending numeric(40,0) NOT NULL,
    settled_hold numeric(40,0) NOT NULL,
    withdrawals integer NOT NULL,
    campaign_id text COLLATE pg_catalog."C",
    campaign_moment numeric NOT NULL,
    plain_moment numeric NOT NULL,
    capital_moment numeric NOT NULL,
    opened_at timestamp(3) with time zone NOT NULL,
    active_at timestamp(3) with time zone,
    closed_at timestamp(3) with time zone,
    accrued_at timestamp(3) with time zone NOT NULL,
    transit_id text COLLATE pg_catalog."C",
    deposit_id text COLLATE pg_catalog."C",
    CONSTRAINT positions_check CHECK (((status = 'closed'::text) = (closed_at IS NOT NULL))),
    CONSTRAINT positions_check1 CHECK (((status = 'closed'::text) = (shares = (0)::numeric))),
    CONSTRAINT positions_check2 CHECK (((origin_vault_id IS NULL) = (active_at IS NULL))),
    CONSTRAINT positions_check3 CHECK (((status = 'closed'::text) OR ((status = 'pending'::text) = (origin_vault_id IS NULL)))),
    CONSTRAINT positions_check4 CHECK (((((deposited - withdrawn) + accrued) - costs) >= (0)::numeric)),
    CONSTRAINT positions_check5 CHECK (((status <> 'closed'::text) OR ((((deposited - withdrawn) + accrued) - costs) = (0)::numeric))),
    CONSTRAINT positions_costs_check CHECK ((costs >= (0)::numeric)),
    CONSTRAINT positions_deposited_check CHECK ((deposited >= (0)::numeric)),
    CONSTRAINT positions_hold_shares_check CHECK ((hold_shares >= (0)::numeric)),
    CONSTRAINT positions_in_transit_are_open CHECK (((transit_id IS NULL) OR (status <> 'closed'::text))),
    CONSTRAINT positions_lending_shares_check CHECK ((lending_shares >= (0)::numeric)),
    CONSTRAINT positions_shares_check CHECK ((shares >= (0)::numeric)),
    CONSTRAINT positions_slot_check CHECK (((slot >= 0) AND (slot <= 15))),
    CONSTRAINT positions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'closed'::text]))),
    CONSTRAINT positions_withdrawals_check CHECK ((withdrawals >= 0)),
    CONSTRAINT positions_withdrawn_check CHECK ((withdrawn >= (0)::numeric))
)
WITH (fillfactor='50');



CREATE TABLE live.regimes (
    market_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    hour timestamp(3) with time zone NOT NULL,
    regime text NOT NULL,
    candidate text,
    candidate_hours integer NOT NULL,
    apy double precision,
    trend double precision,
    significance double precision,
    volatility double precision,
    change_ratio double precision,
    observations integer NOT NULL,
    observed_hour timestamp(3) with time zone
);



CREATE TABLE live.replicas (
    id uuid NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    version text NOT NULL,
    sends jsonb NOT NULL,
    secrets_keys text[] DEFAULT '{}'::text[] NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT replicas_name_check CHECK ((length(name) <= 253))
);



CREATE TABLE live.revenue_accounts (
    user_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    settled bigint DEFAULT 0 NOT NULL,
    settled_at timestamp(3) with time zone,
    carried_loss numeric(40,0) DEFAULT 0 NOT NULL,
    sums jsonb DEFAULT '[]'::jsonb NOT NULL,
    total_fee numeric(40,0) DEFAULT 0 NOT NULL,
    total_partner numeric(40,0) DEFAULT 0 NOT NULL,
    CONSTRAINT revenue_accounts_carried_loss_check CHECK ((carried_loss >= (0)::numeric)),
    CONSTRAINT revenue_accounts_check CHECK (((total_partner >= (0)::numeric) AND (total_partner <= total_fee))),
    CONSTRAINT revenue_accounts_settled_check CHECK ((settled >= 0)),
    CONSTRAINT revenue_accounts_total_fee_check CHECK ((total_fee >= (0)::numeric))
)
WITH (fillfactor='80');



CREATE TABLE live.secrets_canary (
    single boolean DEFAULT true NOT NULL,
    sealed bytea NOT NULL,
    former_sealed bytea,
    sealed_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT secrets_canary_single_check CHECK (single)
);



CREATE TABLE live.sessions (
    id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    secret_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT sessions_scopes_check CHECK ((cardinality(scopes) > 0)),
    CONSTRAINT sessions_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);



CREATE TABLE live.settlements (
    tx_hash text COLLATE pg_catalog."C",
    position_id text NOT NULL COLLATE pg_catalog."C",
    deposit_id text COLLATE pg_catalog."C",
    recorded_at timestamp(3) with time zone NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    chain text,
    status text DEFAULT 'unchecked'::text NOT NULL,
    reason text,
    block bigint,
    found_amount numeric,
    checked_at timestamp(3) with time zone,
    due_at timestamp(3) with time zone,
    resolution text,
    note text,
    resolved_at timestamp(3) with time zone,
    voided_tx_hash text COLLATE pg_catalog."C",
    CONSTRAINT settlements_check CHECK ((((resolution IS NULL) = (resolved_at IS NULL)) AND ((resolution IS NULL) = (note IS NULL)))),
    CONSTRAINT settlements_check1 CHECK (((NOT (resolution IS DISTINCT FROM 'void'::text)) = (tx_hash IS NULL))),
    CONSTRAINT settlements_check2 CHECK (((voided_tx_hash IS NULL) = (tx_hash IS NOT NULL))),
    CONSTRAINT settlements_check3 CHECK (((status <> ALL (ARRAY['seen'::text, 'confirmed'::text, 'mismatch'::text])) OR (block IS NOT NULL))),
    CONSTRAINT settlements_resolution_check CHECK ((resolution = ANY (ARRAY['accept'::text, 'void'::text]))),
    CONSTRAINT settlements_status_check CHECK ((status = ANY (ARRAY['unchecked'::text, 'seen'::text, 'confirmed'::text, 'mismatch'::text, 'not_found'::text]))),
    CONSTRAINT settlements_tx_hash_check CHECK ((tx_hash ~ '^0x[0-9a-f]{64}$'::text))
);



CREATE TABLE live.share_prices (
    vault_id text NOT NULL COLLATE pg_catalog."C",
    hour timestamp(3) with time zone NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    price numeric(78,0) NOT NULL,
    tvl numeric(40,0),
    assets numeric(40,0),
    liquidity numeric(40,0),
    block_number numeric(20,0) NOT NULL,
    block_hash text NOT NULL COLLATE pg_catalog."C",
    block_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT share_prices_assets_check CHECK ((assets >= (0)::numeric)),
    CONSTRAINT share_prices_hour_check CHECK ((date_trunc('hour'::text, hour, 'UTC'::text) = hour)),
    CONSTRAINT share_prices_liquidity_check CHECK ((liquidity >= (0)::numeric)),
    CONSTRAINT share_prices_price_check CHECK ((price >= (0)::numeric)),
    CONSTRAINT share_prices_tvl_check CHECK ((tvl >= (0)::numeric))
);



CREATE TABLE live.sign_in_codes (
    digest bytea NOT NULL,
    key_id text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone,
    CONSTRAINT sign_in_codes_digest_check CHECK ((octet_length(digest) = 32))
);



CREATE TABLE live.signals (
    market_id text NOT NULL COLLATE pg_catalog."C",
    vault_id text NOT NULL COLLATE pg_catalog."C",
    hour timestamp(3) with time zone NOT NULL,
    apy double precision,
    mean_apy double precision,
    volatility double precision,
    trend double precision,
    forecast_apy double precision,
    risk_adjusted_apy double precision,
    insufficient_history boolean NOT NULL,
    observations integer NOT NULL,
    expected_apy double precision,
    index_change double precision,
    assets_change double precision,
    high_liquidity numeric(40,0),
    short_apy double precision,
    three_day_apy double precision,
    three_day_lead double precision
);



CREATE TABLE live.snapshots (
    market_id text NOT NULL COLLATE pg_catalog."C",
    vault_id text NOT NULL COLLATE pg_catalog."C",
    hour timestamp(3) with time zone NOT NULL,
    apy double precision,
    tvl numeric(40,0),
    assets numeric(40,0),
    liquidity numeric(40,0),
    share_index numeric(60,0) NOT NULL,
    factor numeric(40,0) DEFAULT 0 NOT NULL,
    risk_adjusted_apy double precision,
    reward_apy double precision,
    CONSTRAINT snapshots_assets_check CHECK ((assets >= (0)::numeric)),
    CONSTRAINT snapshots_hour_check CHECK ((date_trunc('hour'::text, hour, 'UTC'::text) = hour)),
    CONSTRAINT snapshots_liquidity_check CHECK ((liquidity >= (0)::numeric)),
    CONSTRAINT snapshots_reward_apy_check CHECK ((reward_apy >= (0)::double precision)),
    CONSTRAINT snapshots_share_index_check CHECK ((share_index > (0)::numeric)),
    CONSTRAINT snapshots_tvl_check CHECK ((tvl >= (0)::numeric))
);



CREATE TABLE live.statements (
    market_id text NOT NULL COLLATE pg_catalog."C",
    day_end timestamp(3) with time zone NOT NULL,
    after_id text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    posted bigint DEFAULT 0 NOT NULL,
    done_at timestamp(3) with time zone,
    closed_at timestamp(3) with time zone,
    CONSTRAINT statements_day_end_check CHECK ((date_trunc('day'::text, day_end, 'UTC'::text) = day_end))
);



CREATE TABLE live.stored_bytes (
    partner_id text NOT NULL COLLATE pg_catalog."C",
    records bigint DEFAULT 0 NOT NULL,
    traffic bigint DEFAULT 0 NOT NULL,
    book bigint DEFAULT 0 NOT NULL,
    rest_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    due_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
)
WITH (fillfactor='50');



CREATE TABLE live.undelivered (
    event_id text NOT NULL COLLATE pg_catalog."C",
    webhook_id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    raised_at timestamp(3) with time zone NOT NULL
);



CREATE TABLE live.users (
    id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    external_id text NOT NULL COLLATE pg_catalog."C",
    label text NOT NULL,
    email text,
    metadata jsonb NOT NULL,
    status text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    external_scope text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT users_check CHECK (((external_scope = ''::text) OR (external_scope = partner_id))),
    CONSTRAINT users_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 255))),
    CONSTRAINT users_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text)),
    CONSTRAINT users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'blocked'::text])))
);



CREATE TABLE live.vault_shares (
    market_id text NOT NULL COLLATE pg_catalog."C",
    vault_id text NOT NULL COLLATE pg_catalog."C",
    slot smallint NOT NULL,
    shares numeric(60,0) NOT NULL
)
WITH (fillfactor='50');



CREATE TABLE live.vault_states (
    market_id text NOT NULL COLLATE pg_catalog."C",
    vault_id text NOT NULL COLLATE pg_catalog."C",
    share_index numeric(60,0) NOT NULL,
    last_apy double precision,
    last_tvl numeric(40,0),
    last_assets numeric(40,0),
    last_liquidity numeric(40,0),
    observed_hour timestamp(3) with time zone,
    simulated json,
    recent_apy double precision,
    long_apy double precision,
    factor numeric(40,0) DEFAULT 0 NOT NULL,
    price_source text COLLATE pg_catalog."C",
    price numeric(78,0),
    price_target numeric(60,0),
    price_block numeric(20,0),
    price_at timestamp(3) with time zone,
    week_apy double precision,
    other_apy double precision,
    base_fees json,
    doubted_since timestamp(3) with time zone,
    quarantined_until timestamp(3) with time zone,
    quarantine_reason text,
    CONSTRAINT vault_states_check CHECK (((quarantine_reason IS NULL) = (quarantined_until IS NULL))),
    CONSTRAINT vault_states_check1 CHECK (((last_apy IS NULL) OR (observed_hour IS NOT NULL))),
    CONSTRAINT vault_states_check2 CHECK (((recent_apy IS NULL) = (long_apy IS NULL))),
    CONSTRAINT vault_states_check3 CHECK ((num_nonnulls(price_source, price, price_target, price_block, price_at) = ANY (ARRAY[0, 5]))),
    CONSTRAINT vault_states_last_assets_check CHECK ((last_assets >= (0)::numeric)),
    CONSTRAINT vault_states_last_liquidity_check CHECK ((last_liquidity >= (0)::numeric)),
    CONSTRAINT vault_states_last_tvl_check CHECK ((last_tvl >= (0)::numeric)),
    CONSTRAINT vault_states_price_check CHECK ((price >= (0)::numeric)),
    CONSTRAINT vault_states_price_target_check CHECK ((price_target > (0)::numeric)),
    CONSTRAINT vault_states_share_index_check CHECK ((share_index > (0)::numeric))
);



CREATE TABLE live.wallets (
    address text NOT NULL COLLATE pg_catalog."C",
    user_id text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    partner_id text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT wallets_address_check CHECK ((address ~ '^0x[0-9a-fA-F]{40}$'::text))
);



CREATE TABLE live.webhook_endpoints (
    id text NOT NULL COLLATE pg_catalog."C",
    partner_id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL,
    events text[] NOT NULL,
    description text,
    secret_sealed bytea NOT NULL,
    secret_masked text NOT NULL,
    active boolean NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    previous_sealed bytea,
    previous_expires_at timestamp(3) with time zone,
    CONSTRAINT webhook_endpoints_check CHECK (((previous_sealed IS NULL) = (previous_expires_at IS NULL))),
    CONSTRAINT webhook_endpoints_events_check CHECK ((cardinality(events) > 0)),
    CONSTRAINT webhook_endpoints_url_check CHECK ((char_length(url) <= 2048))
);



CREATE TABLE live.yield_thresholds (
    market_id text NOT NULL COLLATE pg_catalog."C",
    asset text NOT NULL,
    level double precision NOT NULL,
    armed_above boolean NOT NULL,
    armed_below boolean NOT NULL
);



CREATE TABLE live_jobs._private_job_queues (
    id integer NOT NULL,
    queue_name text NOT NULL,
    locked_at timestamp with time zone,
    locked_by text,
    is_available boolean GENERATED ALWAYS AS ((locked_at IS NULL)) STORED NOT NULL,
    CONSTRAINT job_queues_queue_name_check CHECK ((length(queue_name) <= 128))
);



CREATE TABLE live_jobs._private_known_crontabs (
    identifier text NOT NULL,
    known_since timestamp with time zone NOT NULL,
    last_execution timestamp with time zone
);



CREATE TABLE live_jobs._private_tasks (
    id integer NOT NULL,
    identifier text NOT NULL,
    CONSTRAINT tasks_identifier_check CHECK ((length(identifier) <= 128))
);



ALTER TABLE live_jobs._private_job_queues ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME live_jobs.job_queues_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE VIEW live_jobs.jobs AS
 SELECT jobs.id,
    job_queues.queue_name,
    tasks.identifier AS task_identifier,
    jobs.priority,
    jobs.run_at,
    jobs.attempts,
    jobs.max_attempts,
    jobs.last_error,
    jobs.created_at,
    jobs.updated_at,
    jobs.key,
    jobs.locked_at,
    jobs.locked_by,
    jobs.revision,
    jobs.flags
   FROM ((live_jobs._private_jobs jobs
     JOIN live_jobs._private_tasks tasks ON ((tasks.id = jobs.task_id)))
     LEFT JOIN live_jobs._private_job_queues job_queues ON ((job_queues.id = jobs.job_queue_id)));



ALTER TABLE live_jobs._private_jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME live_jobs.jobs_id_seq1
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE live_jobs.migrations (
    id integer NOT NULL,
    ts timestamp with time zone DEFAULT now() NOT NULL,
    breaking boolean DEFAULT false NOT NULL
);



ALTER TABLE live_jobs._private_tasks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME live_jobs.tasks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



ALTER TABLE ONLY live.ledger_entries ATTACH PARTITION live.ledger_entries_2026_01 FOR VALUES FROM ('2026-01-01 00:00:00+00') TO ('2026-02-01 00:00:00+00');



ALTER TABLE ONLY live.ledger_entries ATTACH PARTITION live.ledger_entries_2026_02 FOR VALUES FROM ('2026-02-01 00:00:00+00') TO ('2026-03-01 00:00:00+00');



ALTER TABLE ONLY live.ledger_entries ATTACH PARTITION live.ledger_entries_2026_11 FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00');



ALTER TABLE ONLY live.ledger_entries ATTACH PARTITION live.ledger_entries_2026_12 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');



ALTER TABLE ONLY live.migrations ALTER COLUMN id SET DEFAULT nextval('live.migrations_id_seq'::regclass);









INSERT INTO live.api_keys VALUES
	('key_01kf03thr0e0qbwaya0r6v7w6c', 'Partner 1 default key', 'vl_live_zGPn', '\x6372a3a80aef3838aa09011c7319a95a0c8a07028d27a9048ba8201e60260465', '{partner:read,read}', 'ptn_01kf03thr0e0qbway5p1zxrqxj', '2026-01-15 06:00:00+00', NULL, NULL, NULL),
	('key_01kf03thr0e0qbwaykr00dvhzs', 'Partner 2 default key', 'vl_live_Ulpz', '\xded8e5f825339cd74a17c5017556c297f31dd66fcb57492d2a80c3cd524ffbef', '{partner:read,read}', 'ptn_01kf03thr0e0qbwayf92688e4b', '2026-01-15 06:00:00+00', NULL, NULL, NULL);



INSERT INTO live.audit_chain VALUES
	(true, 0, '\x0000000000000000000000000000000000000000000000000000000000000000', 0, '\x0000000000000000000000000000000000000000000000000000000000000000');












INSERT INTO live.blended_points VALUES
	('base', 'USDC', '2026-01-15 00:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 00:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 01:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 01:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 02:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 02:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 03:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 03:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 04:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 04:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 05:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 05:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 06:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 06:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 07:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 07:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 08:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 08:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 09:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 09:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 10:00:00+00', 0.045, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 10:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 11:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 11:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 12:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 12:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 13:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 13:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 14:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 14:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 15:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 15:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 16:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 16:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 17:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 17:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 18:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 18:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 19:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 19:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 20:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 20:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 21:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 21:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 22:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 22:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-15 23:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-15 23:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 00:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 00:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 01:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 01:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 02:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 02:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 03:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 03:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 04:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 04:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 05:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 05:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 06:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 06:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 07:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 07:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 08:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 08:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 09:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 09:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 10:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 10:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 11:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 11:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 12:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 12:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 13:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 13:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 14:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 14:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 15:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 15:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 16:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 16:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 17:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 17:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 18:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 18:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 19:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 19:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 20:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 20:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 21:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 21:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 22:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 22:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-16 23:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-16 23:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-17 00:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-17 00:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-17 01:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-17 01:00:00+00', NULL, NULL, 0),
	('base', 'USDC', '2026-01-17 02:00:00+00', 0.165, 200000000000000, 2),
	('base', 'USDT0', '2026-01-17 02:00:00+00', NULL, NULL, 0);



INSERT INTO live.book_points VALUES
	('ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', '', 8, 123456789, 0, 21832799801333865678900),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'cmp_01kf03thr0e0qbwaynse5vrcje', 3, 30000000000, -475199995500000000000, 5305370400000000000000000),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'cmp_01kf03thr0e0qbwaynse5vrcje', 0, 0, -4968000030000000000, 0);



INSERT INTO live.book_revenue VALUES
	('ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', 9, 12662, 3165, 0),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 9, 5450543, 2711887, 0);



INSERT INTO live.book_shares VALUES
	('ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', 'hold', 'vlt_aave_v3_usdc', 8, 'base', 123452683079297520475, 0, '2026-01-15 06:00:00.001+00'),
	('ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', 'lending', 'vlt_aave_v3_usdc', 8, 'base', 123452683079297520475, 0, '2026-01-15 06:00:00.001+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'routed', 'vlt_aave_v3_usdc', 0, 'base', 0, 0, '2026-01-15 06:00:00.001+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'routed', 'vlt_aave_v3_usdc', 3, 'base', 0, 0, '2026-01-15 06:00:00.001+00'),
	('ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', 'routed', 'vlt_aave_v3_usdc', 8, 'base', 0, 0, '2026-01-15 06:00:00.001+00'),
	('ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', 'routed', 'vlt_compound_v3_usdc', 8, 'base', 123445645001188620931, 1, '2026-01-15 14:00:00.001+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'hold', 'vlt_aave_v3_usdc', 3, 'base', 30020692239608433424998, 0, '2026-01-17 02:00:00.001+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'lending', 'vlt_aave_v3_usdc', 3, 'base', 30020692239608433424998, 0, '2026-01-17 02:00:00.001+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'routed', 'vlt_compound_v3_usdc', 3, 'base', 30018985761425888993818, 1, '2026-01-15 14:00:00.001+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'hold', 'vlt_aave_v3_usdc', 0, 'base', 0, 0, '2026-01-17 02:00:00.002+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'lending', 'vlt_aave_v3_usdc', 0, 'base', 0, 0, '2026-01-17 02:00:00.002+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'routed', 'vlt_compound_v3_usdc', 0, 'base', 0, 0, '2026-01-15 14:00:00.001+00');



INSERT INTO live.book_totals VALUES
	('ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', 8, 123456789, 0, 1, 0, 131542, 4927, 0, 0, 123456789, 218327998013338656789, 1, 0, '2026-01-15 06:00:00.001+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 3, 50000000000, 20000000000, 1, 1, 56272906, 1987282, 18331398, 18331398, 30000000000, 53050536000030000000000, 1, 0, '2026-01-15 06:00:00.001+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 0, 300000000, 300219805, 1, 2, 227754, 7949, 183515, 183515, 0, -33120000200000000, 1, 1, '2026-01-15 06:00:00.001+00');



INSERT INTO live.book_users VALUES
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 9, 1),
	('ptn_01kf03thr0e0qbwayf92688e4b', 9, 1);



INSERT INTO live.campaign_terms VALUES
	('cmp_01kf03thr0e0qbwaynse5vrcje', '2026-01-15 06:00:00+00', 'active', 150, '2026-01-15 06:00:00+00', NULL);



INSERT INTO live.campaigns VALUES
	('cmp_01kf03thr0e0qbwaynse5vrcje', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'Spring', 'active', NULL, 150, '2026-01-15 06:00:00+00', NULL, '{}', '2026-01-15 06:00:00+00', '2026-01-15 06:00:00+00');



























INSERT INTO live.closed_books VALUES
	('ptn_01kf03thr0e0qbway5p1zxrqxj', '2026-01-15 00:00:00+00', '{"users": 1, "points": [{"asset": "USDC", "terms": [{"active": true, "endsAt": null, "fromAt": "2026-01-15T06:00:00+00:00", "startsAt": "2026-01-15T06:00:00+00:00", "multiplierHundredths": 150}], "principal": "50200000000", "campaignId": "cmp_01kf03thr0e0qbwaynse5vrcje", "plainMoment": "8877653136000000000000000", "campaignMoment": "-215992470000000000"}], "quotes": {"vlt_aave_v3_usdc": {"apy": 0.03, "index": "1000113666689735598"}, "vlt_compound_v3_usdc": {"apy": 0.3, "index": "1000396598944010445"}}, "shares": [{"book": "hold", "asset": "USDC", "shares": "50198333111065617702216", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "lending", "asset": "USDC", "shares": "50198333111065617702216", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "routed", "asset": "USDC", "shares": "0", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "routed", "asset": "USDC", "shares": "50195479666627923235423", "vaultId": "vlt_compound_v3_usdc", "positions": 2}], "totals": [{"asset": "USDC", "costs": "1995231", "closed": 0, "opened": 2, "accrued": "17382371", "firstAt": "2026-01-15T06:00:00.001+00:00", "deposits": 2, "deposited": "50300000000", "principal": "50200000000", "withdrawn": "100000000", "settledHold": "0", "withdrawals": 1, "capitalMoment": "88776529920050200000000", "settledLending": "0"}], "revenue": [{"fee": "1538714", "asset": "USDC", "carriedLoss": "0", "partnerRevenue": "755973"}], "revenueShareBps": 5000, "performanceFeeBps": 1000}'),
	('ptn_01kf03thr0e0qbwayf92688e4b', '2026-01-15 00:00:00+00', '{"users": 1, "points": [{"asset": "USDC", "terms": [], "principal": "123456789", "campaignId": "", "plainMoment": "21832799801333865678900", "campaignMoment": "0"}], "quotes": {"vlt_aave_v3_usdc": {"apy": 0.03, "index": "1000113666689735598"}, "vlt_compound_v3_usdc": {"apy": 0.3, "index": "1000396598944010445"}}, "shares": [{"book": "hold", "asset": "USDC", "shares": "123452683079297520475", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "lending", "asset": "USDC", "shares": "123452683079297520475", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "routed", "asset": "USDC", "shares": "0", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "routed", "asset": "USDC", "shares": "123445645001188620931", "vaultId": "vlt_compound_v3_usdc", "positions": 1}], "totals": [{"asset": "USDC", "costs": "4927", "closed": 0, "opened": 1, "accrued": "42741", "firstAt": "2026-01-15T06:00:00.001+00:00", "deposits": 1, "deposited": "123456789", "principal": "123456789", "withdrawn": "0", "settledHold": "0", "withdrawals": 0, "capitalMoment": "218327998013338656789", "settledLending": "0"}], "revenue": [{"fee": "3782", "asset": "USDC", "carriedLoss": "0", "partnerRevenue": "945"}], "revenueShareBps": 2500, "performanceFeeBps": 1000}'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', '2026-01-16 00:00:00+00', '{"users": 1, "points": [{"asset": "USDC", "terms": [{"active": true, "endsAt": null, "fromAt": "2026-01-15T06:00:00+00:00", "startsAt": "2026-01-15T06:00:00+00:00", "multiplierHundredths": 150}], "principal": "50200000000", "campaignId": "cmp_01kf03thr0e0qbwaynse5vrcje", "plainMoment": "8877653136000000000000000", "campaignMoment": "-215992470000000000"}], "quotes": {"vlt_aave_v3_usdc": {"apy": 0.03, "index": "1000194662194233226"}, "vlt_compound_v3_usdc": {"apy": 0.3, "index": "1001115948731384488"}}, "shares": [{"book": "hold", "asset": "USDC", "shares": "50198333111065617702216", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "lending", "asset": "USDC", "shares": "50198333111065617702216", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "routed", "asset": "USDC", "shares": "0", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "routed", "asset": "USDC", "shares": "50195479666627923235423", "vaultId": "vlt_compound_v3_usdc", "positions": 2}], "totals": [{"asset": "USDC", "costs": "1995231", "closed": 0, "opened": 2, "accrued": "53490478", "firstAt": "2026-01-15T06:00:00.001+00:00", "deposits": 2, "deposited": "50300000000", "principal": "50200000000", "withdrawn": "100000000", "settledHold": "0", "withdrawals": 1, "capitalMoment": "88776529920050200000000", "settledLending": "0"}], "revenue": [{"fee": "5149525", "asset": "USDC", "carriedLoss": "0", "partnerRevenue": "2561378"}], "revenueShareBps": 5000, "performanceFeeBps": 1000}'),
	('ptn_01kf03thr0e0qbwayf92688e4b', '2026-01-16 00:00:00+00', '{"users": 1, "points": [{"asset": "USDC", "terms": [], "principal": "123456789", "campaignId": "", "plainMoment": "21832799801333865678900", "campaignMoment": "0"}], "quotes": {"vlt_aave_v3_usdc": {"apy": 0.03, "index": "1000194662194233226"}, "vlt_compound_v3_usdc": {"apy": 0.3, "index": "1001115948731384488"}}, "shares": [{"book": "hold", "asset": "USDC", "shares": "123452683079297520475", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "lending", "asset": "USDC", "shares": "123452683079297520475", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "routed", "asset": "USDC", "shares": "0", "vaultId": "vlt_aave_v3_usdc", "positions": 0}, {"book": "routed", "asset": "USDC", "shares": "123445645001188620931", "vaultId": "vlt_compound_v3_usdc", "positions": 1}], "totals": [{"asset": "USDC", "costs": "4927", "closed": 0, "opened": 1, "accrued": "131542", "firstAt": "2026-01-15T06:00:00.001+00:00", "deposits": 1, "deposited": "123456789", "principal": "123456789", "withdrawn": "0", "settledHold": "0", "withdrawals": 0, "capitalMoment": "218327998013338656789", "settledLending": "0"}], "revenue": [{"fee": "12662", "asset": "USDC", "carriedLoss": "0", "partnerRevenue": "3165"}], "revenueShareBps": 2500, "performanceFeeBps": 1000}');



INSERT INTO live.daily_closings VALUES
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', '2026-01-15 00:00:00+00', 50300000000, 100000000, 17382371, 1995231, 1538714, 755973, 0, 488159992470000000000, 50204038989, 50204038989, 0, 0),
	('ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', '2026-01-15 00:00:00+00', 123456789, 0, 42741, 4927, 3782, 945, 0, 799999980374321100, 123466715, 123466715, 0, 0),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', '2026-01-16 00:00:00+00', 50300000000, 100000000, 53490478, 1995231, 5149525, 2561378, 0, 1138751992470000000000, 50208104827, 50208104827, 0, 0),
	('ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', '2026-01-16 00:00:00+00', 123456789, 0, 131542, 4927, 12662, 3165, 0, 1866666637334321100, 123476714, 123476714, 0, 0);



INSERT INTO live.decisions VALUES
	('dec_01kf03thr1e1xvxcn1wz6brqdc', 'base', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'route', 'USDC', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcmzb5x91mmk', 1, NULL, 'vlt_aave_v3_usdc', '2026-01-15 06:00:00+00', '{"kind":"route","reason":"best_vault","asset":"USDC","fromVaultId":null,"toVaultId":"vlt_aave_v3_usdc","alternatives":[{"vaultId":"vlt_aave_v3_usdc","action":"deposit","apy":0.06,"expectedApy":0.06,"riskAdjustedApy":0.056999999999999995,"rate":0.05697151424287855,"delta":null,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":null,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":50000,"threshold":null,"passed":true},{"gate":"size","value":2000,"threshold":10,"passed":true},{"gate":"share","value":0.0004997501249375312,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true}],"chosen":true},{"vaultId":"vlt_compound_v3_usdc","action":"deposit","apy":0.03,"expectedApy":0.03,"riskAdjustedApy":0.028499999999999998,"rate":0.028485757121439276,"delta":null,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":null,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":50000,"threshold":null,"passed":true},{"gate":"size","value":2000,"threshold":10,"passed":true},{"gate":"share","value":0.0004997501249375312,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true}],"chosen":false}],"snapshotHour":"2026-01-15T06:00:00.000Z","configVersion":"4a0240741174","inputs":{"asset":"USDC","amount":"50000000000","groupAmount":"50000000000","currentVaultId":null,"book":"50000000000","positions":1,"hoursInVault":0,"idle":{"vaultId":"vlt_idle_usdc","cost":"0"},"snapshotHour":"2026-01-15T06:00:00.000Z","configVersion":"4a0240741174","constants":{"horizonDays":7,"lastingHorizonDays":60,"cashHorizonDays":365,"minimumDelta":0.001,"minimumGainMultiple":4,"minimumPromiseMultiple":1,"minimumNetGain":1,"minimumHoursInVault":6,"returnHours":168,"returnGainMultiple":3,"minimumSizeMultiple":10,"maximumShare":0.15,"maximumGapHours":24,"maximumSilentHours":72,"maximumReadingHours":3,"maximumIndexLoss":0.005,"maximumAssetsLoss":0.5,"maximumThinning":0.3,"maximumUtilisation":0.97,"minimumLiquidityMultiple":2,"kink":0.9,"exposure":{"vault":{"low":1,"medium":0.5,"high":0.2},"tier":{"low":1,"medium":1,"high":0.25}}},"candidates":[{"vaultId":"vlt_aave_v3_usdc","active":true,"lendingBaseline":true,"riskTier":"low","venue":"Aave v3 (Ethereum)","apy":0.06,"expectedApy":0.06,"riskAdjustedApy":0.056999999999999995,"currentRiskAdjustedApy":0.056999999999999995,"promisedApy":0.06,"promisedShortApy":0.06,"lastingApy":0.056999999999999995,"steadyApy":null,"promisedLastingApy":0.06,"promisedShortLastingApy":0.06,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"0","own":"0","ours":"0","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null},{"vaultId":"vlt_compound_v3_usdc","active":true,"lendingBaseline":false,"riskTier":"low","venue":"Compound v3 (Ethereum)","apy":0.03,"expectedApy":0.03,"riskAdjustedApy":0.028499999999999998,"currentRiskAdjustedApy":0.028499999999999998,"promisedApy":0.03,"promisedShortApy":0.03,"lastingApy":0.028499999999999998,"steadyApy":null,"promisedLastingApy":0.03,"promisedShortLastingApy":0.03,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"0","own":"0","ours":"0","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null}]},"blocked":null,"expectedUplift":{"apyDelta":0,"horizonDays":7,"amount":"0","cost":"0","npv":"0"},"exposure":{"before":{"vaults":{},"tiers":{},"venues":{}},"after":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"limits":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}}},"rationale":"Deposited 50000 USDC into vlt_aave_v3_usdc: its expected risk-adjusted APY of 5.70 % is the best of 2 vaults that is within its limits, 0.00 pp over the lending vault."}', '2026-01-15 06:00:00.001+00', 5008, NULL),
	('dec_01kf03thr1e1xvxcntzxtzdpcc', 'base', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'route', 'USDC', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 1, NULL, 'vlt_aave_v3_usdc', '2026-01-15 06:00:00+00', '{"kind":"route","reason":"best_vault","asset":"USDC","fromVaultId":null,"toVaultId":"vlt_aave_v3_usdc","alternatives":[{"vaultId":"vlt_aave_v3_usdc","action":"deposit","apy":0.06,"expectedApy":0.06,"riskAdjustedApy":0.056999999999999995,"rate":0.056971329086012566,"delta":null,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":2000,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":50300,"threshold":null,"passed":true},{"gate":"size","value":333333.3333333333,"threshold":10,"passed":true},{"gate":"share","value":0.000502998491004527,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true}],"chosen":true},{"vaultId":"vlt_compound_v3_usdc","action":"deposit","apy":0.03,"expectedApy":0.03,"riskAdjustedApy":0.028499999999999998,"rate":0.028499914500256497,"delta":null,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":null,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":300,"threshold":null,"passed":true},{"gate":"size","value":333333.3333333333,"threshold":10,"passed":true},{"gate":"share","value":0.000002999991000027,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true}],"chosen":false}],"snapshotHour":"2026-01-15T06:00:00.000Z","configVersion":"4a0240741174","inputs":{"asset":"USDC","amount":"300000000","groupAmount":"300000000","currentVaultId":null,"book":"50300000000","positions":1,"hoursInVault":0,"idle":{"vaultId":"vlt_idle_usdc","cost":"0"},"snapshotHour":"2026-01-15T06:00:00.000Z","configVersion":"4a0240741174","constants":{"horizonDays":7,"lastingHorizonDays":60,"cashHorizonDays":365,"minimumDelta":0.001,"minimumGainMultiple":4,"minimumPromiseMultiple":1,"minimumNetGain":1,"minimumHoursInVault":6,"returnHours":168,"returnGainMultiple":3,"minimumSizeMultiple":10,"maximumShare":0.15,"maximumGapHours":24,"maximumSilentHours":72,"maximumReadingHours":3,"maximumIndexLoss":0.005,"maximumAssetsLoss":0.5,"maximumThinning":0.3,"maximumUtilisation":0.97,"minimumLiquidityMultiple":2,"kink":0.9,"exposure":{"vault":{"low":1,"medium":0.5,"high":0.2},"tier":{"low":1,"medium":1,"high":0.25}}},"candidates":[{"vaultId":"vlt_aave_v3_usdc","active":true,"lendingBaseline":true,"riskTier":"low","venue":"Aave v3 (Ethereum)","apy":0.06,"expectedApy":0.06,"riskAdjustedApy":0.056999999999999995,"currentRiskAdjustedApy":0.056999999999999995,"promisedApy":0.06,"promisedShortApy":0.06,"lastingApy":0.056999999999999995,"steadyApy":null,"promisedLastingApy":0.06,"promisedShortLastingApy":0.06,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"50000000000","own":"50000000000","ours":"50000000000","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null},{"vaultId":"vlt_compound_v3_usdc","active":true,"lendingBaseline":false,"riskTier":"low","venue":"Compound v3 (Ethereum)","apy":0.03,"expectedApy":0.03,"riskAdjustedApy":0.028499999999999998,"currentRiskAdjustedApy":0.028499999999999998,"promisedApy":0.03,"promisedShortApy":0.03,"lastingApy":0.028499999999999998,"steadyApy":null,"promisedLastingApy":0.03,"promisedShortLastingApy":0.03,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"0","own":"0","ours":"0","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null}]},"blocked":null,"expectedUplift":{"apyDelta":0,"horizonDays":7,"amount":"0","cost":"0","npv":"0"},"exposure":{"before":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"after":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"limits":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}}},"rationale":"Deposited 300 USDC into vlt_aave_v3_usdc: its expected risk-adjusted APY of 5.70 % is the best of 2 vaults that is within its limits, 0.00 pp over the lending vault."}', '2026-01-15 06:00:00.001+00', 5104, NULL),
	('dec_01kf03thr1e1xvxcpkh2sb9yx2', 'base', 'ptn_01kf03thr0e0qbwayf92688e4b', 'route', 'USDC', 'usr_01kf03thr1e1xvxcmsp6zbye89', 'pos_01kf03thr1e1xvxcpc1zda7xnr', 1, NULL, 'vlt_aave_v3_usdc', '2026-01-15 06:00:00+00', '{"kind":"route","reason":"best_vault","asset":"USDC","fromVaultId":null,"toVaultId":"vlt_aave_v3_usdc","alternatives":[{"vaultId":"vlt_aave_v3_usdc","action":"deposit","apy":0.06,"expectedApy":0.06,"riskAdjustedApy":0.056999999999999995,"rate":0.056971429664904503,"delta":null,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":1988.0715705765408,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":50423.456789,"threshold":null,"passed":true},{"gate":"size","value":810000.007371,"threshold":10,"passed":true},{"gate":"share","value":0.0005042339453789619,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true}],"chosen":true},{"vaultId":"vlt_compound_v3_usdc","action":"deposit","apy":0.03,"expectedApy":0.03,"riskAdjustedApy":0.028499999999999998,"rate":0.028499964814858572,"delta":null,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":null,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":123.456789,"threshold":null,"passed":true},{"gate":"size","value":810000.007371,"threshold":10,"passed":true},{"gate":"share","value":0.0000012345663658440066,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true}],"chosen":false}],"snapshotHour":"2026-01-15T06:00:00.000Z","configVersion":"4a0240741174","inputs":{"asset":"USDC","amount":"123456789","groupAmount":"123456789","currentVaultId":null,"book":"123456789","positions":1,"hoursInVault":0,"idle":{"vaultId":"vlt_idle_usdc","cost":"0"},"snapshotHour":"2026-01-15T06:00:00.000Z","configVersion":"4a0240741174","constants":{"horizonDays":7,"lastingHorizonDays":60,"cashHorizonDays":365,"minimumDelta":0.001,"minimumGainMultiple":4,"minimumPromiseMultiple":1,"minimumNetGain":1,"minimumHoursInVault":6,"returnHours":168,"returnGainMultiple":3,"minimumSizeMultiple":10,"maximumShare":0.15,"maximumGapHours":24,"maximumSilentHours":72,"maximumReadingHours":3,"maximumIndexLoss":0.005,"maximumAssetsLoss":0.5,"maximumThinning":0.3,"maximumUtilisation":0.97,"minimumLiquidityMultiple":2,"kink":0.9,"exposure":{"vault":{"low":1,"medium":0.5,"high":0.2},"tier":{"low":1,"medium":1,"high":0.25}}},"candidates":[{"vaultId":"vlt_aave_v3_usdc","active":true,"lendingBaseline":true,"riskTier":"low","venue":"Aave v3 (Ethereum)","apy":0.06,"expectedApy":0.06,"riskAdjustedApy":0.056999999999999995,"currentRiskAdjustedApy":0.056999999999999995,"promisedApy":0.06,"promisedShortApy":0.06,"lastingApy":0.056999999999999995,"steadyApy":null,"promisedLastingApy":0.06,"promisedShortLastingApy":0.06,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"50300000000","own":"0","ours":"50000000000","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null},{"vaultId":"vlt_compound_v3_usdc","active":true,"lendingBaseline":false,"riskTier":"low","venue":"Compound v3 (Ethereum)","apy":0.03,"expectedApy":0.03,"riskAdjustedApy":0.028499999999999998,"currentRiskAdjustedApy":0.028499999999999998,"promisedApy":0.03,"promisedShortApy":0.03,"lastingApy":0.028499999999999998,"steadyApy":null,"promisedLastingApy":0.03,"promisedShortLastingApy":0.03,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"0","own":"0","ours":"0","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null}]},"blocked":null,"expectedUplift":{"apyDelta":0,"horizonDays":7,"amount":"0","cost":"0","npv":"0"},"exposure":{"before":{"vaults":{},"tiers":{},"venues":{}},"after":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"limits":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}}},"rationale":"Deposited 123.456789 USDC into vlt_aave_v3_usdc: its expected risk-adjusted APY of 5.70 % is the best of 2 vaults that is within its limits, 0.00 pp over the lending vault."}', '2026-01-15 06:00:00.001+00', 5075, NULL),
	('dec_01kf0vvk41ecnr3md67eds7bvg', 'base', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'hold', 'USDC', NULL, NULL, 2, 'vlt_aave_v3_usdc', NULL, '2026-01-15 13:00:00+00', '{"kind":"hold","reason":"gate_failed","asset":"USDC","fromVaultId":"vlt_aave_v3_usdc","toVaultId":null,"alternatives":[{"vaultId":"vlt_compound_v3_usdc","action":"move","apy":0.3,"expectedApy":0.06285772197375515,"riskAdjustedApy":0.054392752797093685,"rate":0.05436546015332774,"delta":0.001966172963,"gates":[{"gate":"delta","value":0.001966172963,"threshold":0.001,"passed":true},{"gate":"gain","value":1.897794,"threshold":8,"passed":false},{"gate":"net_gain","value":-0.102206,"threshold":1,"passed":false},{"gate":"promise","value":-0.102206,"threshold":2,"passed":false},{"gate":"time_in_vault","value":7,"threshold":6,"passed":true},{"gate":"return","value":1.897794,"threshold":null,"passed":true},{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":null,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":50202.175589,"threshold":null,"passed":true},{"gate":"size","value":1991.9455447247867,"threshold":10,"passed":true},{"gate":"share","value":0.0005017698565055844,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true},{"gate":"exit","value":100000000,"threshold":50202.175589,"passed":true}],"chosen":false},{"vaultId":"vlt_aave_v3_usdc","action":"hold","apy":0.03,"expectedApy":0.056349142002916096,"riskAdjustedApy":0.052399350100862885,"rate":0.05239928719006018,"delta":0,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":1987.0587741461388,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true}],"chosen":true}],"snapshotHour":"2026-01-15T13:00:00.000Z","configVersion":"4a0240741174","inputs":{"asset":"USDC","amount":"50202175589","groupAmount":"50202175589","currentVaultId":"vlt_aave_v3_usdc","book":"50202175589","positions":2,"shared":{"vaultId":"vlt_compound_v3_usdc","amount":"120000000","gain":"4800","promise":"4800"},"hoursInVault":7,"idle":{"vaultId":"vlt_idle_usdc","cost":"1000000"},"snapshotHour":"2026-01-15T13:00:00.000Z","configVersion":"4a0240741174","constants":{"horizonDays":7,"lastingHorizonDays":60,"cashHorizonDays":365,"minimumDelta":0.001,"minimumGainMultiple":4,"minimumPromiseMultiple":1,"minimumNetGain":1,"minimumHoursInVault":6,"returnHours":168,"returnGainMultiple":3,"minimumSizeMultiple":10,"maximumShare":0.15,"maximumGapHours":24,"maximumSilentHours":72,"maximumReadingHours":3,"maximumIndexLoss":0.005,"maximumAssetsLoss":0.5,"maximumThinning":0.3,"maximumUtilisation":0.97,"minimumLiquidityMultiple":2,"kink":0.9,"exposure":{"vault":{"low":1,"medium":0.5,"high":0.2},"tier":{"low":1,"medium":1,"high":0.25}}},"candidates":[{"vaultId":"vlt_aave_v3_usdc","active":true,"lendingBaseline":true,"riskTier":"low","venue":"Aave v3 (Ethereum)","apy":0.03,"expectedApy":0.056349142002916096,"riskAdjustedApy":0.052399350100862885,"currentRiskAdjustedApy":0.027367665198092597,"promisedApy":0.04494549943100904,"promisedShortApy":0.05237967999474274,"lastingApy":0.0555170769949171,"steadyApy":null,"promisedLastingApy":0.05749353988752388,"promisedShortLastingApy":0.058575560136294696,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"50325637722","own":"50202175589","ours":"50322175589","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null},{"vaultId":"vlt_compound_v3_usdc","active":true,"lendingBaseline":false,"riskTier":"low","venue":"Compound v3 (Ethereum)","apy":0.3,"expectedApy":0.06285772197375515,"riskAdjustedApy":0.054392752797093685,"currentRiskAdjustedApy":0.27967791692202626,"promisedApy":0.16549050512091862,"promisedShortApy":0.09858288004731536,"lastingApy":0.02633321075060578,"steadyApy":null,"promisedLastingApy":0.05255814101228508,"promisedShortLastingApy":0.042819958773347724,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"0","own":"0","ours":"0","cost":"2000000","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null}]},"blocked":{"vaultId":"vlt_compound_v3_usdc","gates":["gain","net_gain","promise"]},"expectedUplift":{"apyDelta":0,"horizonDays":7,"amount":"0","cost":"0","npv":"0"},"exposure":{"before":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"after":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"limits":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}}},"rationale":"Held 50202.175589 USDC in vlt_aave_v3_usdc: vlt_compound_v3_usdc has an expected risk-adjusted APY of 5.44 %, 0.20 pp over 5.24 %, but did not pass gain (1.897794 USDC against 8 USDC), net_gain (-0.102206 USDC against 1 USDC), promise (-0.102206 USDC against 2 USDC)."}', '2026-01-15 13:00:00.001+00', 5627, '{"vaultId":"vlt_compound_v3_usdc","gates":["gain","net_gain","promise"]}'),
	('dec_01kf0vvk41ecnr3mdb2czaczn8', 'base', 'ptn_01kf03thr0e0qbwayf92688e4b', 'hold', 'USDC', NULL, NULL, 1, 'vlt_aave_v3_usdc', NULL, '2026-01-15 13:00:00+00', '{"kind":"hold","reason":"gate_failed","asset":"USDC","fromVaultId":"vlt_aave_v3_usdc","toVaultId":null,"alternatives":[{"vaultId":"vlt_compound_v3_usdc","action":"move","apy":0.3,"expectedApy":0.06285772197375515,"riskAdjustedApy":0.054392752797093685,"rate":0.054392685642724335,"delta":0.002019535249,"gates":[{"gate":"delta","value":0.002019535249,"threshold":0.001,"passed":true},{"gate":"gain","value":0.004781,"threshold":8,"passed":false},{"gate":"net_gain","value":-1.995219,"threshold":1,"passed":false},{"gate":"promise","value":-1.995219,"threshold":2,"passed":false},{"gate":"time_in_vault","value":7,"threshold":6,"passed":true},{"gate":"return","value":0.004781,"threshold":null,"passed":true},{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":null,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":123.462132,"threshold":null,"passed":true},{"gate":"size","value":809964.9534644355,"threshold":10,"passed":true},{"gate":"share","value":0.000001234619795712078,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true},{"gate":"exit","value":100000000,"threshold":123.462132,"passed":true}],"chosen":false},{"vaultId":"vlt_aave_v3_usdc","action":"hold","apy":0.03,"expectedApy":0.056349142002916096,"riskAdjustedApy":0.052399350100862885,"rate":0.05237315039346687,"delta":0,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":1987.0587741461388,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true}],"chosen":true}],"snapshotHour":"2026-01-15T13:00:00.000Z","configVersion":"4a0240741174","inputs":{"asset":"USDC","amount":"123462132","groupAmount":"123462132","currentVaultId":"vlt_aave_v3_usdc","book":"123462132","positions":1,"hoursInVault":7,"idle":{"vaultId":"vlt_idle_usdc","cost":"1000000"},"snapshotHour":"2026-01-15T13:00:00.000Z","configVersion":"4a0240741174","constants":{"horizonDays":7,"lastingHorizonDays":60,"cashHorizonDays":365,"minimumDelta":0.001,"minimumGainMultiple":4,"minimumPromiseMultiple":1,"minimumNetGain":1,"minimumHoursInVault":6,"returnHours":168,"returnGainMultiple":3,"minimumSizeMultiple":10,"maximumShare":0.15,"maximumGapHours":24,"maximumSilentHours":72,"maximumReadingHours":3,"maximumIndexLoss":0.005,"maximumAssetsLoss":0.5,"maximumThinning":0.3,"maximumUtilisation":0.97,"minimumLiquidityMultiple":2,"kink":0.9,"exposure":{"vault":{"low":1,"medium":0.5,"high":0.2},"tier":{"low":1,"medium":1,"high":0.25}}},"candidates":[{"vaultId":"vlt_aave_v3_usdc","active":true,"lendingBaseline":true,"riskTier":"low","venue":"Aave v3 (Ethereum)","apy":0.03,"expectedApy":0.056349142002916096,"riskAdjustedApy":0.052399350100862885,"currentRiskAdjustedApy":0.027367665198092597,"promisedApy":0.04494549943100904,"promisedShortApy":0.05237967999474274,"lastingApy":0.0555170769949171,"steadyApy":null,"promisedLastingApy":0.05749353988752388,"promisedShortLastingApy":0.058575560136294696,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"50325637722","own":"123462132","ours":"50123462132","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null},{"vaultId":"vlt_compound_v3_usdc","active":true,"lendingBaseline":false,"riskTier":"low","venue":"Compound v3 (Ethereum)","apy":0.3,"expectedApy":0.06285772197375515,"riskAdjustedApy":0.054392752797093685,"currentRiskAdjustedApy":0.27967791692202626,"promisedApy":0.16549050512091862,"promisedShortApy":0.09858288004731536,"lastingApy":0.02633321075060578,"steadyApy":null,"promisedLastingApy":0.05255814101228508,"promisedShortLastingApy":0.042819958773347724,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"0","own":"0","ours":"0","cost":"2000000","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null}]},"blocked":{"vaultId":"vlt_compound_v3_usdc","gates":["gain","net_gain","promise"]},"expectedUplift":{"apyDelta":0,"horizonDays":7,"amount":"0","cost":"0","npv":"0"},"exposure":{"before":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"after":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"limits":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}}},"rationale":"Held 123.462132 USDC in vlt_aave_v3_usdc: vlt_compound_v3_usdc has an expected risk-adjusted APY of 5.44 %, 0.20 pp over 5.24 %, but did not pass gain (0.004781 USDC against 8 USDC), net_gain (-1.995219 USDC against 1 USDC), promise (-1.995219 USDC against 2 USDC)."}', '2026-01-15 13:00:00.001+00', 5519, '{"vaultId":"vlt_compound_v3_usdc","gates":["gain","net_gain","promise"]}'),
	('dec_01kf0z9er1e69bhkax0ywfzd05', 'base', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'rebalance', 'USDC', NULL, NULL, 2, 'vlt_aave_v3_usdc', 'vlt_compound_v3_usdc', '2026-01-15 14:00:00+00', '{"kind":"rebalance","reason":"all_gates_passed","asset":"USDC","fromVaultId":"vlt_aave_v3_usdc","toVaultId":"vlt_compound_v3_usdc","alternatives":[{"vaultId":"vlt_compound_v3_usdc","action":"move","apy":0.3,"expectedApy":0.07164841741334249,"riskAdjustedApy":0.06168387866759435,"rate":0.06165292745226081,"delta":0.010225160499,"gates":[{"gate":"delta","value":0.010225160499,"threshold":0.001,"passed":true},{"gate":"gain","value":9.868628,"threshold":8,"passed":true},{"gate":"net_gain","value":7.868628,"threshold":1,"passed":true},{"gate":"promise","value":7.868628,"threshold":2,"passed":true},{"gate":"time_in_vault","value":8,"threshold":6,"passed":true},{"gate":"return","value":9.868628,"threshold":null,"passed":true},{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":null,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":50202.344986,"threshold":null,"passed":true},{"gate":"size","value":1991.9388233335942,"threshold":10,"passed":true},{"gate":"share","value":0.0005017715487760419,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true},{"gate":"exit","value":100000000,"threshold":50202.344986,"passed":true}],"chosen":true},{"vaultId":"vlt_aave_v3_usdc","action":"hold","apy":0.03,"expectedApy":0.055372398065184174,"riskAdjustedApy":0.051427828697510294,"rate":0.05142776695311872,"delta":0,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":1987.0520692284197,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true}],"chosen":false}],"snapshotHour":"2026-01-15T14:00:00.000Z","configVersion":"4a0240741174","inputs":{"asset":"USDC","amount":"50202344986","groupAmount":"50202344986","currentVaultId":"vlt_aave_v3_usdc","book":"50202344986","positions":2,"shared":{"vaultId":"vlt_compound_v3_usdc","amount":"120000000","gain":"24000","promise":"24000"},"hoursInVault":8,"idle":{"vaultId":"vlt_idle_usdc","cost":"1000000"},"snapshotHour":"2026-01-15T14:00:00.000Z","configVersion":"4a0240741174","constants":{"horizonDays":7,"lastingHorizonDays":60,"cashHorizonDays":365,"minimumDelta":0.001,"minimumGainMultiple":4,"minimumPromiseMultiple":1,"minimumNetGain":1,"minimumHoursInVault":6,"returnHours":168,"returnGainMultiple":3,"minimumSizeMultiple":10,"maximumShare":0.15,"maximumGapHours":24,"maximumSilentHours":72,"maximumReadingHours":3,"maximumIndexLoss":0.005,"maximumAssetsLoss":0.5,"maximumThinning":0.3,"maximumUtilisation":0.97,"minimumLiquidityMultiple":2,"kink":0.9,"exposure":{"vault":{"low":1,"medium":0.5,"high":0.2},"tier":{"low":1,"medium":1,"high":0.25}}},"candidates":[{"vaultId":"vlt_aave_v3_usdc","active":true,"lendingBaseline":true,"riskTier":"low","venue":"Aave v3 (Ethereum)","apy":0.03,"expectedApy":0.055372398065184174,"riskAdjustedApy":0.051427828697510294,"currentRiskAdjustedApy":0.02732405053558533,"promisedApy":0.04488396318523688,"promisedShortApy":0.04860105346710372,"lastingApy":0.055357560610244744,"steadyApy":null,"promisedLastingApy":0.05738033863684133,"promisedShortLastingApy":0.057921348761226746,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"50325807536","own":"50202344986","ours":"50322344986","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null},{"vaultId":"vlt_compound_v3_usdc","active":true,"lendingBaseline":false,"riskTier":"low","venue":"Compound v3 (Ethereum)","apy":0.3,"expectedApy":0.07164841741334249,"riskAdjustedApy":0.06168387866759435,"currentRiskAdjustedApy":0.27861788212491895,"promisedApy":0.1660443313328681,"promisedShortApy":0.13259051879606648,"lastingApy":0.026316291452984274,"steadyApy":null,"promisedLastingApy":0.05357695226842801,"promisedShortLastingApy":0.04870786114895933,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"0","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"0","own":"0","ours":"0","cost":"2000000","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null}]},"blocked":null,"expectedUplift":{"apyDelta":0.010225160499,"horizonDays":7,"amount":"9844628","cost":"1995231","npv":"7849397"},"exposure":{"before":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"after":{"vaults":{"vlt_compound_v3_usdc":1},"tiers":{"low":1},"venues":{"Compound v3 (Ethereum)":1}},"limits":{"vaults":{"vlt_aave_v3_usdc":1,"vlt_compound_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1,"Compound v3 (Ethereum)":1}}},"rationale":"Moved 50202.344986 USDC from vlt_aave_v3_usdc to vlt_compound_v3_usdc: vlt_compound_v3_usdc has an expected risk-adjusted APY of 6.17 %, 1.02 pp over 5.14 %. 9.844628 USDC is expected to be gained over 7 days for a cost of 1.995231 USDC, of which 7.849397 USDC remains. All 20 gates passed."}', '2026-01-15 14:00:00.001+00', 5696, NULL),
	('dec_01kf0z9er1e69bhkb3q1r7wj3x', 'base', 'ptn_01kf03thr0e0qbwayf92688e4b', 'rebalance', 'USDC', NULL, NULL, 1, 'vlt_aave_v3_usdc', 'vlt_compound_v3_usdc', '2026-01-15 14:00:00+00', '{"kind":"rebalance","reason":"all_gates_passed","asset":"USDC","fromVaultId":"vlt_aave_v3_usdc","toVaultId":"vlt_compound_v3_usdc","alternatives":[{"vaultId":"vlt_compound_v3_usdc","action":"move","apy":0.3,"expectedApy":0.07164841741334249,"riskAdjustedApy":0.06168387866759435,"rate":0.061622164978742185,"delta":0.010168609503,"gates":[{"gate":"delta","value":0.010168609503,"threshold":0.001,"passed":true},{"gate":"gain","value":9.824076,"threshold":8,"passed":true},{"gate":"net_gain","value":7.824076,"threshold":1,"passed":true},{"gate":"promise","value":7.824076,"threshold":2,"passed":true},{"gate":"time_in_vault","value":8,"threshold":6,"passed":true},{"gate":"return","value":9.824076,"threshold":null,"passed":true},{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":1991.9388233335942,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true},{"gate":"reading","value":0,"threshold":3,"passed":true},{"gate":"assets","value":0,"threshold":-0.3,"passed":true},{"gate":"history","value":1,"threshold":1,"passed":true},{"gate":"capacity","value":50325.807535,"threshold":null,"passed":true},{"gate":"size","value":809962.2177734238,"threshold":10,"passed":true},{"gate":"share","value":0.0005032574540155192,"threshold":0.15,"passed":true},{"gate":"exposure","value":1,"threshold":1,"passed":true},{"gate":"exit","value":100000000,"threshold":123.462549,"passed":true}],"chosen":true},{"vaultId":"vlt_aave_v3_usdc","action":"hold","apy":0.03,"expectedApy":0.055372398065184174,"riskAdjustedApy":0.051427828697510294,"rate":0.051453555475247416,"delta":0,"gates":[{"gate":"active","value":1,"threshold":1,"passed":true},{"gate":"fresh","value":0,"threshold":24,"passed":true},{"gate":"index","value":0,"threshold":-0.005,"passed":true},{"gate":"outflow","value":0,"threshold":-0.5,"passed":true},{"gate":"liquidity","value":809962.2112130359,"threshold":null,"passed":true},{"gate":"quarantine","value":null,"threshold":0,"passed":true}],"chosen":false}],"snapshotHour":"2026-01-15T14:00:00.000Z","configVersion":"4a0240741174","inputs":{"asset":"USDC","amount":"123462549","groupAmount":"123462549","currentVaultId":"vlt_aave_v3_usdc","book":"123462549","positions":1,"shared":{"vaultId":"vlt_compound_v3_usdc","amount":"50000000000","gain":"9800000","promise":"9800000"},"hoursInVault":8,"idle":{"vaultId":"vlt_idle_usdc","cost":"1000000"},"snapshotHour":"2026-01-15T14:00:00.000Z","configVersion":"4a0240741174","constants":{"horizonDays":7,"lastingHorizonDays":60,"cashHorizonDays":365,"minimumDelta":0.001,"minimumGainMultiple":4,"minimumPromiseMultiple":1,"minimumNetGain":1,"minimumHoursInVault":6,"returnHours":168,"returnGainMultiple":3,"minimumSizeMultiple":10,"maximumShare":0.15,"maximumGapHours":24,"maximumSilentHours":72,"maximumReadingHours":3,"maximumIndexLoss":0.005,"maximumAssetsLoss":0.5,"maximumThinning":0.3,"maximumUtilisation":0.97,"minimumLiquidityMultiple":2,"kink":0.9,"exposure":{"vault":{"low":1,"medium":0.5,"high":0.2},"tier":{"low":1,"medium":1,"high":0.25}}},"candidates":[{"vaultId":"vlt_aave_v3_usdc","active":true,"lendingBaseline":true,"riskTier":"low","venue":"Aave v3 (Ethereum)","apy":0.03,"expectedApy":0.055372398065184174,"riskAdjustedApy":0.051427828697510294,"currentRiskAdjustedApy":0.02732405053558533,"promisedApy":0.04488396318523688,"promisedShortApy":0.04860105346710372,"lastingApy":0.055357560610244744,"steadyApy":null,"promisedLastingApy":0.05738033863684133,"promisedShortLastingApy":0.057921348761226746,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"-50000000000","inflowOfOthers":"-50000000000","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"123462550","own":"123462549","ours":"123462550","cost":"0","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null},{"vaultId":"vlt_compound_v3_usdc","active":true,"lendingBaseline":false,"riskTier":"low","venue":"Compound v3 (Ethereum)","apy":0.3,"expectedApy":0.07164841741334249,"riskAdjustedApy":0.06168387866759435,"currentRiskAdjustedApy":0.27861788212491895,"promisedApy":0.1660443313328681,"promisedShortApy":0.13259051879606648,"lastingApy":0.026316291452984274,"steadyApy":null,"promisedLastingApy":0.05357695226842801,"promisedShortLastingApy":0.04870786114895933,"tvl":"100000000000000","assets":"100000000000000","liquidity":"100000000000000","highLiquidity":"100000000000000","inflow":"50000000000","inflowOfOthers":"50000000000","dilution":"pool","indexChange":0,"assetsChange":0,"quarantineHours":null,"capacity":null,"held":"50202344986","own":"0","ours":"50000000000","cost":"2000000","exitDelayHours":0,"hoursSinceObserved":0,"silentEverywhere":false,"hoursSinceLeft":null}]},"blocked":null,"expectedUplift":{"apyDelta":0.010168609503,"horizonDays":7,"amount":"24076","cost":"4927","npv":"19149"},"exposure":{"before":{"vaults":{"vlt_aave_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1}},"after":{"vaults":{"vlt_compound_v3_usdc":1},"tiers":{"low":1},"venues":{"Compound v3 (Ethereum)":1}},"limits":{"vaults":{"vlt_aave_v3_usdc":1,"vlt_compound_v3_usdc":1},"tiers":{"low":1},"venues":{"Aave v3 (Ethereum)":1,"Compound v3 (Ethereum)":1}}},"rationale":"Moved 123.462549 USDC from vlt_aave_v3_usdc to vlt_compound_v3_usdc: vlt_compound_v3_usdc has an expected risk-adjusted APY of 6.16 %, 1.02 pp over 5.15 %. 0.024076 USDC is expected to be gained over 7 days for a cost of 0.004927 USDC, of which 0.019149 USDC remains. All 20 gates passed."}', '2026-01-15 14:00:00.001+00', 5797, NULL);









INSERT INTO live.endpoint_health VALUES
	('wh_01kf03thr0e0qbwaytaddakgxq', NULL, NULL, 0);



INSERT INTO live.events VALUES
	('evt_01kf03thr1e1xvxcnf4gxs2crr', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.opened', '{"id":"evt_01kf03thr1e1xvxcnf4gxs2crr","type":"position.opened","created_at":"2026-01-15T06:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcmzb5x91mmk","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_aave_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":50000,"value":50000,"yield":0,"costs":0,"apy":0.06,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":"dec_01kf03thr1e1xvxcn1wz6brqdc"}}', '2026-11-24 20:44:20.091+00', false, 537),
	('evt_01kf03thr1e1xvxcnkskahbe3s', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.active', '{"id":"evt_01kf03thr1e1xvxcnkskahbe3s","type":"position.active","created_at":"2026-01-15T06:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcmzb5x91mmk","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_aave_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":50000,"value":50000,"yield":0,"costs":0,"apy":0.06,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":"dec_01kf03thr1e1xvxcn1wz6brqdc"}}', '2026-11-24 20:44:20.091+00', false, 537),
	('evt_01kf03thr1e1xvxcp68cprg4d0', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.opened', '{"id":"evt_01kf03thr1e1xvxcp68cprg4d0","type":"position.opened","created_at":"2026-01-15T06:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcnqabxznbf0","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_aave_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":300,"value":300,"yield":0,"costs":0,"apy":0.06,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":"dec_01kf03thr1e1xvxcntzxtzdpcc"}}', '2026-11-24 20:44:20.1+00', false, 533),
	('evt_01kf03thr1e1xvxcp8ejyzqz4a', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.active', '{"id":"evt_01kf03thr1e1xvxcp8ejyzqz4a","type":"position.active","created_at":"2026-01-15T06:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcnqabxznbf0","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_aave_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":300,"value":300,"yield":0,"costs":0,"apy":0.06,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":"dec_01kf03thr1e1xvxcntzxtzdpcc"}}', '2026-11-24 20:44:20.1+00', false, 533),
	('evt_01kf03thr1e1xvxcpzp0wh9dta', 'ptn_01kf03thr0e0qbwayf92688e4b', 'position.opened', '{"id":"evt_01kf03thr1e1xvxcpzp0wh9dta","type":"position.opened","created_at":"2026-01-15T06:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcpc1zda7xnr","object":"position","user_id":"usr_01kf03thr1e1xvxcmsp6zbye89","asset":"USDC","deposit_id":null,"vault_id":"vlt_aave_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":123.456789,"value":123.456789,"yield":0,"costs":0,"apy":0.06,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":"dec_01kf03thr1e1xvxcpkh2sb9yx2"}}', '2026-11-24 20:44:20.105+00', false, 547),
	('evt_01kf03thr1e1xvxcq2ckgmkvx3', 'ptn_01kf03thr0e0qbwayf92688e4b', 'position.active', '{"id":"evt_01kf03thr1e1xvxcq2ckgmkvx3","type":"position.active","created_at":"2026-01-15T06:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcpc1zda7xnr","object":"position","user_id":"usr_01kf03thr1e1xvxcmsp6zbye89","asset":"USDC","deposit_id":null,"vault_id":"vlt_aave_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":123.456789,"value":123.456789,"yield":0,"costs":0,"apy":0.06,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":"dec_01kf03thr1e1xvxcpkh2sb9yx2"}}', '2026-11-24 20:44:20.105+00', false, 547),
	('evt_01kf0hj081e1mbanj04c2w5nmr', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.withdrawn', '{"id":"evt_01kf0hj081e1mbanj04c2w5nmr","type":"position.withdrawn","created_at":"2026-01-15T10:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcnqabxznbf0","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_aave_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":200,"value":200.007982,"yield":0.007982,"costs":0,"apy":0.06,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":null,"amount":100}}', '2026-11-24 20:44:20.149+00', false, 535),
	('evt_01kf0mzvw0eb6sbnpz71tygrf5', NULL, 'yield.threshold', '{"id":"evt_01kf0mzvw0eb6sbnpz71tygrf5","type":"yield.threshold","created_at":"2026-01-15T11:00:00.000Z","data":{"asset":"USDC","threshold":0.05,"direction":"above","apy":0.165,"previous_apy":0.045,"at":"2026-01-15T11:00:00.000Z"}}', '2026-11-24 20:44:20.161+00', false, 230),
	('evt_01kf0mzvw0eb6sbnq1v1vaev86', NULL, 'yield.threshold', '{"id":"evt_01kf0mzvw0eb6sbnq1v1vaev86","type":"yield.threshold","created_at":"2026-01-15T11:00:00.000Z","data":{"asset":"USDC","threshold":0.08,"direction":"above","apy":0.165,"previous_apy":0.045,"at":"2026-01-15T11:00:00.000Z"}}', '2026-11-24 20:44:20.161+00', false, 230),
	('evt_01kf0z9er1e69bhkbmnpq546yv', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.rebalanced', '{"id":"evt_01kf0z9er1e69bhkbmnpq546yv","type":"position.rebalanced","created_at":"2026-01-15T14:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcmzb5x91mmk","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_compound_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":50000,"value":50000.345712,"yield":0.345712,"costs":1.987282,"apy":0.3,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":"dec_01kf0z9er1e69bhkax0ywfzd05","amount":50000.345712,"cost":1.987282}}', '2026-11-24 20:44:20.199+00', false, 603),
	('evt_01kf0z9er1e69bhkbv96g98r5m', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.rebalanced', '{"id":"evt_01kf0z9er1e69bhkbv96g98r5m","type":"position.rebalanced","created_at":"2026-01-15T14:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcnqabxznbf0","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_compound_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":200,"value":200.004043,"yield":0.004043,"costs":0.007949,"apy":0.3,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":"dec_01kf0z9er1e69bhkax0ywfzd05","amount":200.004043,"cost":0.007949}}', '2026-11-24 20:44:20.199+00', false, 597),
	('evt_01kf0z9er1e69bhkc74tejpqz7', 'ptn_01kf03thr0e0qbwayf92688e4b', 'position.rebalanced', '{"id":"evt_01kf0z9er1e69bhkc74tejpqz7","type":"position.rebalanced","created_at":"2026-01-15T14:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcpc1zda7xnr","object":"position","user_id":"usr_01kf03thr1e1xvxcmsp6zbye89","asset":"USDC","deposit_id":null,"vault_id":"vlt_compound_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":123.456789,"value":123.457622,"yield":0.000833,"costs":0.004927,"apy":0.3,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":"dec_01kf0z9er1e69bhkb3q1r7wj3x","amount":123.457622,"cost":0.004927}}', '2026-11-24 20:44:20.204+00', false, 604),
	('evt_01kf4twh81e4srk0vr3cjeky1h', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.withdrawn', '{"id":"evt_01kf4twh81e4srk0vr3cjeky1h","type":"position.withdrawn","created_at":"2026-01-17T02:00:00.001Z","data":{"id":"pos_01kf03thr1e1xvxcmzb5x91mmk","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_compound_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"active","principal":30000,"value":30054.285624,"yield":54.285624,"costs":1.987282,"apy":0.3,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":null,"decision_id":null,"amount":20000}}', '2026-11-24 20:44:20.493+00', false, 552),
	('evt_01kf4twh82e4zr1qd6a2mfc89m', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.withdrawn', '{"id":"evt_01kf4twh82e4zr1qd6a2mfc89m","type":"position.withdrawn","created_at":"2026-01-17T02:00:00.002Z","data":{"id":"pos_01kf03thr1e1xvxcnqabxznbf0","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_compound_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"closed","principal":-0.219805,"value":0,"yield":0.219805,"costs":0.007949,"apy":null,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":"2026-01-17T02:00:00.002Z","decision_id":null,"amount":200.219805}}', '2026-11-24 20:44:20.499+00', false, 572),
	('evt_01kf4twh82e4zr1qd8pjzs6qra', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'position.closed', '{"id":"evt_01kf4twh82e4zr1qd8pjzs6qra","type":"position.closed","created_at":"2026-01-17T02:00:00.002Z","data":{"id":"pos_01kf03thr1e1xvxcnqabxznbf0","object":"position","user_id":"usr_01kf03thr1e1xvxcmq8gq5y01s","asset":"USDC","deposit_id":null,"vault_id":"vlt_compound_v3_usdc","origin_vault_id":"vlt_aave_v3_usdc","status":"closed","principal":-0.219805,"value":0,"yield":0.219805,"costs":0.007949,"apy":null,"opened_at":"2026-01-15T06:00:00.001Z","active_at":"2026-01-15T06:00:00.001Z","closed_at":"2026-01-17T02:00:00.002Z","decision_id":null}}', '2026-11-24 20:44:20.499+00', false, 549);









INSERT INTO live.ledger_entries_2026_01 VALUES
	('evt_01kf03thr1e1xvxcnbt25fm9p8', '2026-01-15 06:00:00.001+00', '2026-01-15 06:00:00.001+00', 'deposit', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcmzb5x91mmk', 'USDC', 'vlt_aave_v3_usdc', NULL, 50000000000, 0, 0.06, 1000033259064121289, NULL, 1000033259064121289, 1000033259064121289, NULL, NULL, NULL, NULL, 0, 0, 0, 'dec_01kf03thr1e1xvxcn1wz6brqdc', '0x24b0692c5e1ce2ae24cd4a38e3e1669ebf09ed4d45dd4b9897437e42984719e8', NULL),
	('evt_01kf03thr2e1xvxcp3a5bhcfs7', '2026-01-15 06:00:00.001+00', '2026-01-15 06:00:00.002+00', 'deposit', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 'USDC', 'vlt_aave_v3_usdc', NULL, 300000000, 0, 0.06, 1000033259064121289, NULL, 1000033259064121289, 1000033259064121289, NULL, NULL, NULL, NULL, 0, 0, 0, 'dec_01kf03thr1e1xvxcntzxtzdpcc', '0x59fd568e0492d831f0478a2e91466a18013b88b6c35efd1b793b754ac1643e6d', NULL),
	('evt_01kf03thr1e1xvxcpv5fdmps1c', '2026-01-15 06:00:00.001+00', '2026-01-15 06:00:00.001+00', 'deposit', 'ptn_01kf03thr0e0qbwayf92688e4b', 'usr_01kf03thr1e1xvxcmsp6zbye89', 'pos_01kf03thr1e1xvxcpc1zda7xnr', 'USDC', 'vlt_aave_v3_usdc', NULL, 123456789, 0, 0.06, 1000033259064121289, NULL, 1000033259064121289, 1000033259064121289, NULL, NULL, NULL, NULL, 0, 0, 0, 'dec_01kf03thr1e1xvxcpkh2sb9yx2', '0x28615a97ed0f27812a477d440edb5128b877971f4d5b6b5cc405ab3b1323af14', NULL),
	('evt_01kf0hj081e1mbanhrvvhvb9g4', '2026-01-15 10:00:00.001+00', '2026-01-15 10:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 'USDC', 'vlt_aave_v3_usdc', NULL, 7982, 0, 0.06, 1000059867110377355, NULL, NULL, NULL, 1000, 4000, 1, NULL, 799, 319, 0, NULL, NULL, NULL),
	('evt_01kf0hj081e1mbanhyxpjxkyym', '2026-01-15 10:00:00.001+00', '2026-01-15 10:00:00.001+00', 'withdrawal', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 'USDC', 'vlt_aave_v3_usdc', NULL, 100000000, 0, 0.06, 1000059867110377355, NULL, 1000059867110377355, 1000059867110377355, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, '0x1389a3339c66ca0f0ade43c43fb864abca09be08166ddf031a3c2dbe3a9f7439', NULL),
	('evt_01kf0hj082e5ta2sb0h8v57bgc', '2026-01-15 10:00:00.002+00', '2026-01-15 10:00:00.002+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcmzb5x91mmk', 'USDC', 'vlt_aave_v3_usdc', NULL, 1330358, 0, 0.06, 1000059867112225167, NULL, NULL, NULL, 1000, 4000, 2, NULL, 133035, 53214, 0, NULL, NULL, NULL),
	('evt_01kf0z9er1e69bhkb4s05gsqq2', '2026-01-15 14:00:00.001+00', '2026-01-15 14:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcmzb5x91mmk', 'USDC', 'vlt_aave_v3_usdc', NULL, 1002636, 0, 0.03, 1000079920499643933, NULL, NULL, NULL, 1000, 5000, 3, NULL, 100264, 50132, 0, NULL, NULL, NULL),
	('evt_01kf0z9er1e69bhkbf11zp6h8e', '2026-01-15 14:00:00.001+00', '2026-01-15 14:00:00.001+00', 'rebalance', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcmzb5x91mmk', 'USDC', 'vlt_compound_v3_usdc', 'vlt_aave_v3_usdc', 50000345712, 1987282, 0.3, 1000097022449121342, 1000079920499643933, NULL, NULL, NULL, NULL, 5, NULL, 0, 0, 1987282, 'dec_01kf0z9er1e69bhkax0ywfzd05', NULL, NULL),
	('evt_01kf0z9er1e69bhkbacerwd0r9', '2026-01-15 14:00:00.001+00', '2026-01-15 14:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 'USDC', 'vlt_aave_v3_usdc', NULL, 4010, 0, 0.03, 1000079920499643933, NULL, NULL, NULL, 1000, 5000, 4, NULL, 401, 200, 0, NULL, NULL, NULL),
	('evt_01kf0z9er1e69bhkbj8zssah2y', '2026-01-15 14:00:00.001+00', '2026-01-15 14:00:00.001+00', 'rebalance', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 'USDC', 'vlt_compound_v3_usdc', 'vlt_aave_v3_usdc', 200004043, 7949, 0.3, 1000097022449121342, 1000079920499643933, NULL, NULL, NULL, NULL, 6, NULL, 0, 0, 7949, 'dec_01kf0z9er1e69bhkax0ywfzd05', NULL, NULL),
	('evt_01kf0z9er1e69bhkbxbt045yrr', '2026-01-15 14:00:00.001+00', '2026-01-15 14:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbwayf92688e4b', 'usr_01kf03thr1e1xvxcmsp6zbye89', 'pos_01kf03thr1e1xvxcpc1zda7xnr', 'USDC', 'vlt_aave_v3_usdc', NULL, 5760, 0, 0.03, 1000079920499643933, NULL, NULL, NULL, 1000, 2500, 1, NULL, 576, 144, 0, NULL, NULL, NULL),
	('evt_01kf0z9er1e69bhkc1re6z52y1', '2026-01-15 14:00:00.001+00', '2026-01-15 14:00:00.001+00', 'rebalance', 'ptn_01kf03thr0e0qbwayf92688e4b', 'usr_01kf03thr1e1xvxcmsp6zbye89', 'pos_01kf03thr1e1xvxcpc1zda7xnr', 'USDC', 'vlt_compound_v3_usdc', 'vlt_aave_v3_usdc', 123457622, 4927, 0.3, 1000097022449121342, 1000079920499643933, NULL, NULL, NULL, NULL, 2, NULL, 0, 0, 4927, 'dec_01kf0z9er1e69bhkb3q1r7wj3x', NULL, NULL),
	('evt_01kf21m301e3nvz61m6z524zbe', '2026-01-16 00:00:00+00', '2026-01-16 00:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcmzb5x91mmk', 'USDC', 'vlt_compound_v3_usdc', NULL, 14977475, 0, 0.3, 1000396598944010445, NULL, NULL, NULL, 1000, 5000, 7, NULL, 1298224, 649112, -1995231, NULL, NULL, NULL),
	('evt_01kf21m301e3nvz61r0n174bpa', '2026-01-16 00:00:00+00', '2026-01-16 00:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 'USDC', 'vlt_compound_v3_usdc', NULL, 59910, 0, 0.3, 1000396598944010445, NULL, NULL, NULL, 1000, 5000, 8, NULL, 5991, 2996, 0, NULL, NULL, NULL),
	('evt_01kf21m301e3nvz61htk6vhs4h', '2026-01-16 00:00:00+00', '2026-01-16 00:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbwayf92688e4b', 'usr_01kf03thr1e1xvxcmsp6zbye89', 'pos_01kf03thr1e1xvxcpc1zda7xnr', 'USDC', 'vlt_compound_v3_usdc', NULL, 36981, 0, 0.3, 1000396598944010445, NULL, NULL, NULL, 1000, 2500, 3, NULL, 3206, 801, -4927, NULL, NULL, NULL),
	('evt_01kf4m0t01efavmy2pkdcsay0e', '2026-01-17 00:00:00+00', '2026-01-17 00:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcmzb5x91mmk', 'USDC', 'vlt_compound_v3_usdc', NULL, 35964248, 0, 0.3, 1001115948731384488, NULL, NULL, NULL, 1000, 5000, 9, NULL, 3596425, 1798212, 0, NULL, NULL, NULL),
	('evt_01kf4m0t01efavmy2r29ahyxq2', '2026-01-17 00:00:00+00', '2026-01-17 00:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 'USDC', 'vlt_compound_v3_usdc', NULL, 143859, 0, 0.3, 1001115948731384488, NULL, NULL, NULL, 1000, 5000, 10, NULL, 14386, 7193, 0, NULL, NULL, NULL),
	('evt_01kf4m0t01efavmy2j73kmzb9m', '2026-01-17 00:00:00+00', '2026-01-17 00:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbwayf92688e4b', 'usr_01kf03thr1e1xvxcmsp6zbye89', 'pos_01kf03thr1e1xvxcpc1zda7xnr', 'USDC', 'vlt_compound_v3_usdc', NULL, 88801, 0, 0.3, 1001115948731384488, NULL, NULL, NULL, 1000, 2500, 4, NULL, 8880, 2220, 0, NULL, NULL, NULL),
	('evt_01kf4twh81e4srk0vj5vanmzkg', '2026-01-17 02:00:00.001+00', '2026-01-17 02:00:00.001+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcmzb5x91mmk', 'USDC', 'vlt_compound_v3_usdc', NULL, 2998189, 0, 0.3, 1001175917898695461, NULL, NULL, NULL, 1000, 5000, 11, NULL, 299819, 149910, 0, NULL, NULL, NULL),
	('evt_01kf4twh81e4srk0vq0239qnwh', '2026-01-17 02:00:00.001+00', '2026-01-17 02:00:00.001+00', 'withdrawal', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcmzb5x91mmk', 'USDC', 'vlt_compound_v3_usdc', NULL, 20000000000, 0, 0.3, 1001175917898695461, NULL, 1000201412116627916, 1000201412116627916, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, '0xbed7b3cbf60e25094e50be839ee3ebe6bcc31252e66c7a34bc93343e7919c451', NULL),
	('evt_01kf4twh82e4zr1qczc9h74sft', '2026-01-17 02:00:00.002+00', '2026-01-17 02:00:00.002+00', 'yield_accrual', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 'USDC', 'vlt_compound_v3_usdc', NULL, 11993, 0, 0.3, 1001175917907024885, NULL, NULL, NULL, 1000, 5000, 12, NULL, 1199, 599, 0, NULL, NULL, NULL),
	('evt_01kf4twh82e4zr1qd054pqjjg2', '2026-01-17 02:00:00.002+00', '2026-01-17 02:00:00.002+00', 'withdrawal', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'pos_01kf03thr1e1xvxcnqabxznbf0', 'USDC', 'vlt_compound_v3_usdc', NULL, 200219805, 0, 0.3, 1001175917907024885, NULL, 1000201412117565410, 1000201412117565410, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, '0xecd792169529d341913030f51b1b60bd695040eab9be8dd48a2a14c5a56a32b6', NULL);












INSERT INTO live.ledger_heads VALUES
	('ptn_01kf03thr0e0qbwayf92688e4b', '2026-01-17 00:00:00.001+00', '2026-01-17 00:00:00+00'),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', '2026-01-17 02:00:00.002+00', '2026-01-17 00:00:00+00');



INSERT INTO live.markets VALUES
	('base', '2026-01-17 02:00:00+00', '2026-01-17 02:00:00+00', NULL, NULL, 0, NULL, NULL, '2026-01-15 00:00:00+00', NULL);



INSERT INTO live.migrations VALUES
	(1, 1100000000000, 'Tenants1100000000000'),
	(2, 1100000000001, 'Markets1100000000001'),
	(3, 1100000000002, 'Books1100000000002'),
	(4, 1100000000003, 'Ledger1100000000003'),
	(5, 1100000000004, 'Routing1100000000004'),
	(6, 1100000000005, 'Outbound1100000000005'),
	(7, 1100000000006, 'Sends1100000000006'),
	(8, 1100000000007, 'Accounts1100000000007'),
	(9, 1100000000008, 'Deployment1100000000008');









INSERT INTO live.moves VALUES
	('dec_01kf0z9er1e69bhkax0ywfzd05', 'base', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'vlt_aave_v3_usdc', 'vlt_compound_v3_usdc', '2026-01-15 14:00:00.001+00', 'pos_01kf03thr1e1xvxcnqabxznbf0', 2, 50202344986, 1995231, '2026-01-15 14:00:00.001+00', 50202344986, 1995231, NULL, NULL, 7849397, '2026-01-22 14:00:00+00', NULL, NULL, 1, false, NULL),
	('dec_01kf0z9er1e69bhkb3q1r7wj3x', 'base', 'ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', 'vlt_aave_v3_usdc', 'vlt_compound_v3_usdc', '2026-01-15 14:00:00.001+00', 'pos_01kf03thr1e1xvxcpc1zda7xnr', 1, 123462549, 4927, '2026-01-15 14:00:00.001+00', 123462549, 4927, NULL, NULL, 19149, '2026-01-22 14:00:00+00', NULL, NULL, 1, false, NULL);






INSERT INTO live.partner_terms VALUES
	('ptn_01kf03thr0e0qbway5p1zxrqxj', '2026-01-15 06:00:00+00', 1000, 4000),
	('ptn_01kf03thr0e0qbwayf92688e4b', '2026-01-15 06:00:00+00', 1000, 2500),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', '2026-01-15 10:00:00.002+00', 1000, 5000);



INSERT INTO live.partners VALUES
	('ptn_01kf03thr0e0qbwayf92688e4b', 'Partner 2', 'active', NULL, 1000, 2500, '{}', '2026-01-15 06:00:00+00', '2026-01-15 06:00:00+00', NULL, NULL),
	('ptn_01kf03thr0e0qbway5p1zxrqxj', 'Partner 1', 'active', NULL, 1000, 5000, '{}', '2026-01-15 06:00:00+00', '2026-01-15 10:00:00.001+00', NULL, NULL);



INSERT INTO live.positions VALUES
	('pos_01kf03thr1e1xvxcmzb5x91mmk', 'base', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'USDC', 'active', 'vlt_compound_v3_usdc', 'vlt_aave_v3_usdc', 'vlt_aave_v3_usdc', 3, 30018985761425888993818, 30020692239608433424998, 30020692239608433424998, 50000000000, 20000000000, 56272906, 1987282, 18331398, 18331398, 1, 'cmp_01kf03thr0e0qbwaynse5vrcje', -475199995500000000000, 5305370400000000000000000, 53050536000030000000000, '2026-01-15 06:00:00.001+00', '2026-01-15 06:00:00.001+00', NULL, '2026-01-17 02:00:00.001+00', NULL, NULL),
	('pos_01kf03thr1e1xvxcnqabxznbf0', 'base', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'usr_01kf03thr1e1xvxcmq8gq5y01s', 'USDC', 'closed', 'vlt_compound_v3_usdc', 'vlt_aave_v3_usdc', 'vlt_aave_v3_usdc', 0, 0, 0, 0, 300000000, 300219805, 227754, 7949, 183515, 183515, 2, 'cmp_01kf03thr0e0qbwaynse5vrcje', -4968000030000000000, 0, -33120000200000000, '2026-01-15 06:00:00.001+00', '2026-01-15 06:00:00.001+00', '2026-01-17 02:00:00.002+00', '2026-01-17 02:00:00.002+00', NULL, NULL),
	('pos_01kf03thr1e1xvxcpc1zda7xnr', 'base', 'ptn_01kf03thr0e0qbwayf92688e4b', 'usr_01kf03thr1e1xvxcmsp6zbye89', 'USDC', 'active', 'vlt_compound_v3_usdc', 'vlt_aave_v3_usdc', 'vlt_aave_v3_usdc', 8, 123445645001188620931, 123452683079297520475, 123452683079297520475, 123456789, 0, 131542, 4927, 0, 0, 0, NULL, 0, 21832799801333865678900, 218327998013338656789, '2026-01-15 06:00:00.001+00', '2026-01-15 06:00:00.001+00', NULL, '2026-01-17 00:00:00+00', NULL, NULL);



INSERT INTO live.regimes VALUES
	('base', 'USDC', '2026-01-17 02:00:00+00', 'unknown', NULL, 0, 0.165, NULL, NULL, 0.04984682419525786, 0, 51, '2026-01-17 02:00:00+00'),
	('base', 'USDT0', '2026-01-17 02:00:00+00', 'unknown', NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL),
	('base', '*', '2026-01-17 02:00:00+00', 'unknown', NULL, 0, 0.165, NULL, NULL, 0.04984682419525786, 0, 51, '2026-01-17 02:00:00+00');






INSERT INTO live.revenue_accounts VALUES
	('usr_01kf03thr1e1xvxcmsp6zbye89', 'USDC', 'ptn_01kf03thr0e0qbwayf92688e4b', 4, '2026-01-17 00:00:00+00', 0, '[{"fee": "12662", "base": "126615", "partner": "3165", "partnerShareBps": 2500, "performanceFeeBps": 1000}]', 12662, 3165),
	('usr_01kf03thr1e1xvxcmq8gq5y01s', 'USDC', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 12, '2026-01-17 02:00:00.002+00', 0, '[{"fee": "133834", "base": "1338340", "partner": "53533", "partnerShareBps": 4000, "performanceFeeBps": 1000}, {"fee": "5316709", "base": "53167089", "partner": "2658354", "partnerShareBps": 5000, "performanceFeeBps": 1000}]', 5450543, 2711887);









INSERT INTO live.settlements VALUES
	('0x24b0692c5e1ce2ae24cd4a38e3e1669ebf09ed4d45dd4b9897437e42984719e8', 'pos_01kf03thr1e1xvxcmzb5x91mmk', NULL, '2026-01-15 06:00:00.001+00', 'set_01kf03thr1e1xvxcn66skyqds9', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'ethereum', 'unchecked', NULL, NULL, NULL, NULL, '2026-01-15 06:00:00.001+00', NULL, NULL, NULL, NULL),
	('0x59fd568e0492d831f0478a2e91466a18013b88b6c35efd1b793b754ac1643e6d', 'pos_01kf03thr1e1xvxcnqabxznbf0', NULL, '2026-01-15 06:00:00.001+00', 'set_01kf03thr1e1xvxcnzdwcqa8qm', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'ethereum', 'unchecked', NULL, NULL, NULL, NULL, '2026-01-15 06:00:00.001+00', NULL, NULL, NULL, NULL),
	('0x28615a97ed0f27812a477d440edb5128b877971f4d5b6b5cc405ab3b1323af14', 'pos_01kf03thr1e1xvxcpc1zda7xnr', NULL, '2026-01-15 06:00:00.001+00', 'set_01kf03thr1e1xvxcpqqta951xr', 'ptn_01kf03thr0e0qbwayf92688e4b', 'USDC', 'ethereum', 'unchecked', NULL, NULL, NULL, NULL, '2026-01-15 06:00:00.001+00', NULL, NULL, NULL, NULL),
	('0x1389a3339c66ca0f0ade43c43fb864abca09be08166ddf031a3c2dbe3a9f7439', 'pos_01kf03thr1e1xvxcnqabxznbf0', NULL, '2026-01-15 10:00:00.001+00', 'set_01kf0hj081e1mbanhm7s65fv33', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'ethereum', 'unchecked', NULL, NULL, NULL, NULL, '2026-01-15 10:00:00.001+00', NULL, NULL, NULL, NULL),
	('0xbed7b3cbf60e25094e50be839ee3ebe6bcc31252e66c7a34bc93343e7919c451', 'pos_01kf03thr1e1xvxcmzb5x91mmk', NULL, '2026-01-17 02:00:00.001+00', 'set_01kf4twh81e4srk0vf0z5nmnq5', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'ethereum', 'unchecked', NULL, NULL, NULL, NULL, '2026-01-17 02:00:00.001+00', NULL, NULL, NULL, NULL),
	('0xecd792169529d341913030f51b1b60bd695040eab9be8dd48a2a14c5a56a32b6', 'pos_01kf03thr1e1xvxcnqabxznbf0', NULL, '2026-01-17 02:00:00.002+00', 'set_01kf4twh82e4zr1qct80jyr5h1', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'USDC', 'ethereum', 'unchecked', NULL, NULL, NULL, NULL, '2026-01-17 02:00:00.002+00', NULL, NULL, NULL, NULL);









INSERT INTO live.signals VALUES
	('base', 'vlt_aave_v3_usdc', '2026-01-17 02:00:00+00', 0.03, 0.036470588235294144, 0.012461706048814466, NULL, NULL, 0.04277391634460022, true, 51, 0.04563438247425404, 0, 0, 100000000000000, 0.03, 0.036470588235294144, 0),
	('base', 'vlt_compound_v3_usdc', '2026-01-17 02:00:00+00', 0.3, 0.24176470588235308, 0.11215535443933004, NULL, NULL, 0.14139338470667828, true, 51, 0.15929055773171358, 0, 0, 100000000000000, 0.3, 0.24176470588235308, 0.27);



INSERT INTO live.snapshots VALUES
	('base', 'vlt_aave_v3_usdc', '2026-01-15 00:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 00:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 00:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 00:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 01:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000000000000000000, 6651723963254, NULL, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 01:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000000000000000000, 3374298186258, NULL, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 01:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 01:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 02:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000006651723963254, 6651723963254, 0.056999999999999995, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 02:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000003374298186258, 3374298186258, 0.028499999999999998, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 02:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 02:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 03:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000013303492171939, 6651723963254, 0.056999999999999995, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 03:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000006748607758404, 3374298186258, 0.028499999999999998, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 03:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 03:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 04:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000019955304626350, 6651723963254, 0.056999999999999995, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 04:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000010122928716476, 3374298186258, 0.028499999999999998, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 04:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 04:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 05:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000026607161326781, 6651723963254, 0.056999999999999995, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 05:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000013497261060514, 3374298186258, 0.028499999999999998, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 05:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 05:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 06:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000033259062273527, 6651723963254, 0.056999999999999995, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 06:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000016871604790555, 3374298186258, 0.028499999999999998, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 06:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 06:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 07:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000039911007466882, 6651723963254, 0.056999999999999995, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 07:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000020245959906638, 3374298186258, 0.028499999999999998, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 07:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 07:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 08:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000046562996907140, 6651723963254, 0.056999999999999995, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 08:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000023620326408801, 3374298186258, 0.028499999999999998, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 08:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 08:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 09:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000053215030594596, 6651723963254, 0.056999999999999995, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 09:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000026994704297083, 3374298186258, 0.028499999999999998, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 09:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 09:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 10:00:00+00', 0.06, 100000000000000, 100000000000000, 100000000000000, 1000059867108529544, 6651723963254, 0.056999999999999995, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 10:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000030369093571522, 3374298186258, 0.028499999999999998, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 10:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 10:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 11:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000066519230712278, 6651723963254, 0.054886996012166595, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 11:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000033743494232157, 3374298186258, 0.037804630112200956, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 11:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 11:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 12:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000073171397143092, 3374298186258, 0.053528534845623796, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 12:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000037117906279026, 29950707014325, 0.04643927822887739, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 12:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 12:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 13:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000076545942231462, 3374298186258, 0.052399350100862885, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 13:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000067069725000886, 29950707014325, 0.054392752797093685, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 13:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 13:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 14:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000079920498706554, 3374298186258, 0.051427828697510294, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 14:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000097022440800894, 29950707014325, 0.06168387866759435, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 14:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 14:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 15:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000083295066568405, 3374298186258, 0.05057889833788305, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 15:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000126976053705917, 29950707014325, 0.06834740726172096, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 15:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 15:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 16:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000086669645817055, 3374298186258, 0.04983047283235346, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 16:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000156930563742824, 29950707014325, 0.07442586701405159, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 16:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 16:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 17:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000090044236452541, 3374298186258, 0.04916679477165341, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 17:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000186885970938485, 29950707014325, 0.0799647829157751, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 17:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 17:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 18:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000093418838474902, 3374298186258, 0.04857577517712931, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 18:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000216842275319770, 29950707014325, 0.08500986722932859, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 18:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 18:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 19:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000096793451884177, 3374298186258, 0.04804770817165571, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 19:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000246799476913551, 29950707014325, 0.08960539170159493, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 19:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 19:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 20:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000100168076680404, 3374298186258, 0.04757456632230071, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 20:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000276757575746700, 29950707014325, 0.0937932805676751, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 20:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 20:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 21:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000103542712863621, 3374298186258, 0.04714957627656918, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 21:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000306716571846090, 29950707014325, 0.09761264817057222, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 21:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 21:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 22:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000106917360433867, 3374298186258, 0.046766943444091456, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 22:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000336676465238594, 29950707014325, 0.10109961187145457, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 22:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 22:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-15 23:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000110292019391180, 3374298186258, 0.04642166215710029, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-15 23:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000366637255951087, 29950707014325, 0.10428727452402171, NULL),
	('base', 'vlt_idle_usdc', '2026-01-15 23:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-15 23:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 00:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000113666689735598, 3374298186258, 0.04610937801933222, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 00:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000396598944010445, 29950707014325, 0.10720580956015609, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 00:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 00:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 01:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000117041371467161, 3374298186258, 0.045826283883150985, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 01:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000426561529443544, 29950707014325, 0.10988260586766, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 01:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 01:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 02:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000120416064585906, 3374298186258, 0.04556903855042044, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 02:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000456525012277260, 29950707014325, 0.11234244493072802, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 02:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 02:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 03:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000123790769091872, 3374298186258, 0.045334701491597344, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 03:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000486489392538472, 29950707014325, 0.1146076925357898, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 03:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 03:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 04:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000127165484985097, 3374298186258, 0.04512067928731614, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 04:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000516454670254058, 29950707014325, 0.11669849374447944, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 04:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 04:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 05:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000130540212265620, 3374298186258, 0.04492468093526268, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 05:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000546420845450897, 29950707014325, 0.11863296403889247, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 05:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 05:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 06:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000133914950933479, 3374298186258, 0.04474468005457007, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 06:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000576387918155870, 29950707014325, 0.12042737232248008, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 06:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 06:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 07:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000137289700988713, 3374298186258, 0.0445788825878781, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 07:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000606355888395858, 29950707014325, 0.12209631330120788, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 07:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 07:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 08:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000140664462431360, 3374298186258, 0.04442569897486226, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 08:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000636324756197742, 29950707014325, 0.12365286798833727, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 08:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 08:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 09:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000144039235261458, 3374298186258, 0.044283720023995436, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 09:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000666294521588405, 29950707014325, 0.12510875187763038, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 09:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 09:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 10:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000147414019479046, 3374298186258, 0.04415169588526772, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 10:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000696265184594731, 29950707014325, 0.12647445084966935, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 10:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 10:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 11:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000150788815084162, 3374298186258, 0.04402851765222451, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 11:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000726236745243604, 29950707014325, 0.12775934520506813, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 11:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 11:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 12:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000154163622076845, 3374298186258, 0.04391320121364085, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 12:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000756209203561908, 29950707014325, 0.1289718224179236, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 12:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 12:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 13:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000157538440457133, 3374298186258, 0.04380487304405836, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 13:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000786182559576530, 29950707014325, 0.13011937931462172, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 13:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 13:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 14:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000160913270225064, 3374298186258, 0.043702757675193625, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 14:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000816156813314356, 29950707014325, 0.13120871443567608, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 14:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 14:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 15:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000164288111380677, 3374298186258, 0.04360616663148208, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 15:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000846131964802274, 29950707014325, 0.1322458113513349, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 15:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 15:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 16:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000167662963924011, 3374298186258, 0.043514488645863526, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 16:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000876108014067172, 29950707014325, 0.13323601368886515, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 16:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 16:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 17:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000171037827855104, 3374298186258, 0.04342718099849025, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 17:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000906084961135939, 29950707014325, 0.1341840926001377, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 17:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 17:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 18:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000174412703173994, 3374298186258, 0.043343761842854836, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 18:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000936062806035465, 29950707014325, 0.13509430735891786, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 18:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 18:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 19:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000177787589880719, 3374298186258, 0.04326380340196946, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 19:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000966041548792640, 29950707014325, 0.1359704597325965, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 19:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 19:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 20:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000181162487975319, 3374298186258, 0.04318692593246643, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 20:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1000996021189434356, 29950707014325, 0.136815942726058, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 20:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 20:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 21:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000184537397457831, 3374298186258, 0.04311279236741085, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 21:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1001026001727987505, 29950707014325, 0.13763378424803235, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 21:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 21:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 22:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000187912318328294, 3374298186258, 0.043041103559659497, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 22:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1001055983164478981, 29950707014325, 0.13842668620399987, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 22:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 22:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-16 23:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000191287250586746, 3374298186258, 0.04297159405709889, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-16 23:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1001085965498935677, 29950707014325, 0.13919705947537137, NULL),
	('base', 'vlt_idle_usdc', '2026-01-16 23:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-16 23:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-17 00:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000194662194233226, 3374298186258, 0.04290402834931175, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-17 00:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1001115948731384488, 29950707014325, 0.13994705520279066, NULL),
	('base', 'vlt_idle_usdc', '2026-01-17 00:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-17 00:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-17 01:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000198037149267772, 3374298186258, 0.04283819753236003, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-17 01:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1001145932861852309, 29950707014325, 0.1406785927522781, NULL),
	('base', 'vlt_idle_usdc', '2026-01-17 01:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-17 01:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_aave_v3_usdc', '2026-01-17 02:00:00+00', 0.03, 100000000000000, 100000000000000, 100000000000000, 1000201412115690423, 3374298186258, 0.04277391634460022, NULL),
	('base', 'vlt_compound_v3_usdc', '2026-01-17 02:00:00+00', 0.3, 100000000000000, 100000000000000, 100000000000000, 1001175917890366037, 29950707014325, 0.14139338470667828, NULL),
	('base', 'vlt_idle_usdc', '2026-01-17 02:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL),
	('base', 'vlt_idle_usdt0', '2026-01-17 02:00:00+00', 0, NULL, NULL, NULL, 1000000000000000000, 0, NULL, NULL);



INSERT INTO live.statements VALUES
	('base', '2026-01-15 00:00:00+00', '', 0, '2026-01-15 00:00:00+00', '2026-01-15 00:00:00+00'),
	('base', '2026-01-16 00:00:00+00', 'pos_01kf03thr1e1xvxcpc1zda7xnr', 3, '2026-01-16 00:00:00.001+00', '2026-01-16 00:00:00.001+00'),
	('base', '2026-01-17 00:00:00+00', 'pos_01kf03thr1e1xvxcpc1zda7xnr', 3, '2026-01-17 00:00:00.001+00', '2026-01-17 00:00:00.001+00');









INSERT INTO live.users VALUES
	('usr_01kf03thr1e1xvxcmq8gq5y01s', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'engine:3', 'engine:3', NULL, '{}', 'active', '2026-01-15 06:00:00.001+00', '2026-01-15 06:00:00.001+00', ''),
	('usr_01kf03thr1e1xvxcmsp6zbye89', 'ptn_01kf03thr0e0qbwayf92688e4b', 'engine:4', 'engine:4', NULL, '{}', 'active', '2026-01-15 06:00:00.001+00', '2026-01-15 06:00:00.001+00', '');



INSERT INTO live.vault_shares VALUES
	('base', 'vlt_aave_v3_usdc', 0, 0),
	('base', 'vlt_aave_v3_usdc', 3, 0),
	('base', 'vlt_aave_v3_usdc', 8, 0),
	('base', 'vlt_compound_v3_usdc', 8, 123445645001188620931),
	('base', 'vlt_compound_v3_usdc', 3, 30018985761425888993818),
	('base', 'vlt_compound_v3_usdc', 0, 0);



INSERT INTO live.vault_states VALUES
	('base', 'vlt_aave_v3_usdc', 1000201412115690423, 0.03, 100000000000000, 100000000000000, 100000000000000, '2026-01-17 02:00:00+00', NULL, 0.03029529399606911, 0.055435919756326, 3374298186258, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL),
	('base', 'vlt_compound_v3_usdc', 1001175917890366037, 0.3, 100000000000000, 100000000000000, 100000000000000, '2026-01-17 02:00:00+00', NULL, 0.297342354035378, 0.07107672219306588, 29950707014325, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL),
	('base', 'vlt_idle_usdc', 1000000000000000000, 0, NULL, NULL, NULL, '2026-01-17 02:00:00+00', NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL),
	('base', 'vlt_idle_usdt0', 1000000000000000000, 0, NULL, NULL, NULL, '2026-01-17 02:00:00+00', NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL);






INSERT INTO live.webhook_endpoints VALUES
	('wh_01kf03thr0e0qbwaytaddakgxq', 'ptn_01kf03thr0e0qbway5p1zxrqxj', 'https://hooks.acme.example/vaultline', '{position.opened,position.active,position.rebalanced,position.withdrawn,position.closed,yield.threshold,system.status}', NULL, '\x96c2decf4b62610ed14b8e7374766ea1c1eaf6e1bad53f335aa8eafb73e3affb77c5c8d3454727c34461a6eea309ef2317ad948293ab7722d805fe87d8ae55f42801ae63b37ddaa81ab18f7a4db6', 'whsec_****6CM=', false, '2026-01-15 06:00:00+00', '2026-01-15 06:00:00+00', NULL, NULL);



INSERT INTO live.yield_thresholds VALUES
	('base', 'USDC', 0.05, false, true),
	('base', 'USDC', 0.08, false, true),
	('base', 'USDT0', 0.05, true, true),
	('base', 'USDT0', 0.08, true, true);






INSERT INTO live_jobs._private_jobs OVERRIDING SYSTEM VALUE VALUES
	(1, NULL, 1, '{"partnerId":"ptn_01kf03thr0e0qbway5p1zxrqxj"}', 0, '2026-11-24 20:44:20.079551+00', 0, 25, NULL, '2026-11-24 20:44:20.079551+00', '2026-11-24 20:44:20.079551+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(2, NULL, 1, '{"partnerId":"ptn_01kf03thr0e0qbway5p1zxrqxj"}', 0, '2026-11-24 20:44:20.094468+00', 0, 25, NULL, '2026-11-24 20:44:20.094468+00', '2026-11-24 20:44:20.094468+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(3, NULL, 1, '{"partnerId":"ptn_01kf03thr0e0qbwayf92688e4b"}', 0, '2026-11-24 20:44:20.101173+00', 0, 25, NULL, '2026-11-24 20:44:20.101173+00', '2026-11-24 20:44:20.101173+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(4, NULL, 1, '{"partnerId":"ptn_01kf03thr0e0qbway5p1zxrqxj"}', 0, '2026-11-24 20:44:20.142459+00', 0, 25, NULL, '2026-11-24 20:44:20.142459+00', '2026-11-24 20:44:20.142459+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(5, NULL, 1, '{"partnerId":null}', 0, '2026-11-24 20:44:20.159449+00', 0, 25, NULL, '2026-11-24 20:44:20.159449+00', '2026-11-24 20:44:20.159449+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(6, NULL, 1, '{"partnerId":"ptn_01kf03thr0e0qbway5p1zxrqxj"}', 0, '2026-11-24 20:44:20.192386+00', 0, 25, NULL, '2026-11-24 20:44:20.192386+00', '2026-11-24 20:44:20.192386+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(7, NULL, 1, '{"partnerId":"ptn_01kf03thr0e0qbwayf92688e4b"}', 0, '2026-11-24 20:44:20.201516+00', 0, 25, NULL, '2026-11-24 20:44:20.201516+00', '2026-11-24 20:44:20.201516+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(8, NULL, 1, '{"partnerId":"ptn_01kf03thr0e0qbway5p1zxrqxj"}', 0, '2026-11-24 20:44:20.48784+00', 0, 25, NULL, '2026-11-24 20:44:20.48784+00', '2026-11-24 20:44:20.48784+00', NULL, NULL, NULL, 0, NULL, DEFAULT),
	(9, NULL, 1, '{"partnerId":"ptn_01kf03thr0e0qbway5p1zxrqxj"}', 0, '2026-11-24 20:44:20.494962+00', 0, 25, NULL, '2026-11-24 20:44:20.494962+00', '2026-11-24 20:44:20.494962+00', NULL, NULL, NULL, 0, NULL, DEFAULT);






INSERT INTO live_jobs._private_tasks OVERRIDING SYSTEM VALUE VALUES
	(1, 'webhooks.fan_out');



INSERT INTO live_jobs.migrations VALUES
	(1, '2026-11-24 20:44:19.668807+00', true),
	(2, '2026-11-24 20:44:19.678165+00', false),
	(3, '2026-11-24 20:44:19.681342+00', true),
	(4, '2026-11-24 20:44:19.683373+00', false),
	(5, '2026-11-24 20:44:19.684885+00', false),
	(6, '2026-11-24 20:44:19.686836+00', false),
	(7, '2026-11-24 20:44:19.688728+00', false),
	(8, '2026-11-24 20:44:19.690311+00', false),
	(9, '2026-11-24 20:44:19.692936+00', false),
	(10, '2026-11-24 20:44:19.693985+00', false),
	(11, '2026-11-24 20:44:19.694755+00', true),
	(12, '2026-11-24 20:44:19.711475+00', false),
	(13, '2026-11-24 20:44:19.713483+00', true),
	(14, '2026-11-24 20:44:19.714853+00', true),
	(15, '2026-11-24 20:44:19.715906+00', false),
	(16, '2026-11-24 20:44:19.716939+00', true),
	(17, '2026-11-24 20:44:19.718878+00', false),
	(18, '2026-11-24 20:44:19.72028+00', false),
	(19, '2026-11-24 20:44:19.721669+00', true);



SELECT pg_catalog.setval('live.deployment_changes_number_seq', 1, false);



SELECT pg_catalog.setval('live.ledger_checks_number_seq', 1, false);



SELECT pg_catalog.setval('live.migrations_id_seq', 9, true);



SELECT pg_catalog.setval('live_jobs.job_queues_id_seq', 1, false);



SELECT pg_catalog.setval('live_jobs.jobs_id_seq1', 9, true);



SELECT pg_catalog.setval('live_jobs.tasks_id_seq', 9, true);



ALTER TABLE ONLY live.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);



ALTER TABLE ONLY live.alerted_partners
    ADD CONSTRAINT alerted_partners_pkey PRIMARY KEY (market_id, kind, subject, partner_id);



ALTER TABLE ONLY live.alerts
    ADD CONSTRAINT alerts_pkey PRIMARY KEY (market_id, kind, subject);



ALTER TABLE ONLY live.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.api_keys
    ADD CONSTRAINT api_keys_secret_hash_key UNIQUE (secret_hash);



ALTER TABLE ONLY live.audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (single);



ALTER TABLE ONLY live.audit_entries
    ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.audit_links
    ADD CONSTRAINT audit_links_entry_id_key UNIQUE (entry_id);



ALTER TABLE ONLY live.audit_links
    ADD CONSTRAINT audit_links_pkey PRIMARY KEY (number);



ALTER TABLE ONLY live.audit_queue
    ADD CONSTRAINT audit_queue_pkey PRIMARY KEY (entry_id);



ALTER TABLE ONLY live.blended_points
    ADD CONSTRAINT blended_points_pkey PRIMARY KEY (market_id, asset, hour);



ALTER TABLE ONLY live.book_points
    ADD CONSTRAINT book_points_pkey PRIMARY KEY (partner_id, asset, campaign_id, slot);



ALTER TABLE ONLY live.book_revenue
    ADD CONSTRAINT book_revenue_pkey PRIMARY KEY (partner_id, asset, slot);



ALTER TABLE ONLY live.book_shares
    ADD CONSTRAINT book_shares_pkey PRIMARY KEY (partner_id, asset, book, vault_id, slot);



ALTER TABLE ONLY live.book_totals
    ADD CONSTRAINT book_totals_pkey PRIMARY KEY (partner_id, asset, slot);



ALTER TABLE ONLY live.book_users
    ADD CONSTRAINT book_users_pkey PRIMARY KEY (partner_id, slot);



ALTER TABLE ONLY live.campaign_terms
    ADD CONSTRAINT campaign_terms_pkey PRIMARY KEY (campaign_id, from_at);



ALTER TABLE ONLY live.campaigns
    ADD CONSTRAINT campaigns_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.checked_accounts
    ADD CONSTRAINT checked_accounts_pkey PRIMARY KEY (user_id, asset);



ALTER TABLE ONLY live.checked_moves
    ADD CONSTRAINT checked_moves_pkey PRIMARY KEY (decision_id);



ALTER TABLE ONLY live.checked_points
    ADD CONSTRAINT checked_points_pkey PRIMARY KEY (partner_id, asset, campaign_id, slot);



ALTER TABLE ONLY live.checked_positions
    ADD CONSTRAINT checked_positions_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.checked_revenue
    ADD CONSTRAINT checked_revenue_pkey PRIMARY KEY (partner_id, asset, slot);



ALTER TABLE ONLY live.checked_shares
    ADD CONSTRAINT checked_shares_pkey PRIMARY KEY (partner_id, asset, book, vault_id, slot);



ALTER TABLE ONLY live.checked_totals
    ADD CONSTRAINT checked_totals_pkey PRIMARY KEY (partner_id, asset, slot);



ALTER TABLE ONLY live.checked_vaults
    ADD CONSTRAINT checked_vaults_pkey PRIMARY KEY (market_id, vault_id, slot);



ALTER TABLE ONLY live.closed_books
    ADD CONSTRAINT closed_books_pkey PRIMARY KEY (partner_id, day);



ALTER TABLE ONLY live.daily_closings
    ADD CONSTRAINT daily_closings_pkey PRIMARY KEY (partner_id, asset, day);



ALTER TABLE ONLY live.decisions
    ADD CONSTRAINT decisions_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.deliveries
    ADD CONSTRAINT deliveries_event_id_webhook_id_key UNIQUE (event_id, webhook_id);



ALTER TABLE ONLY live.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.deployment_changes
    ADD CONSTRAINT deployment_changes_pkey PRIMARY KEY (number);



ALTER TABLE ONLY live.endpoint_health
    ADD CONSTRAINT endpoint_health_pkey PRIMARY KEY (webhook_id);



ALTER TABLE ONLY live.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.idempotency_claims
    ADD CONSTRAINT idempotency_claims_pkey PRIMARY KEY (scope, route, key);



ALTER TABLE ONLY live.ledger_checks
    ADD CONSTRAINT ledger_checks_pkey PRIMARY KEY (number);



ALTER TABLE ONLY live.ledger_entries
    ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (at, id);



ALTER TABLE ONLY live.ledger_entries_2026_01
    ADD CONSTRAINT ledger_entries_2026_01_pkey PRIMARY KEY (at, id);



ALTER TABLE ONLY live.ledger_entries_2026_02
    ADD CONSTRAINT ledger_entries_2026_02_pkey PRIMARY KEY (at, id);



ALTER TABLE ONLY live.ledger_entries_2026_11
    ADD CONSTRAINT ledger_entries_2026_11_pkey PRIMARY KEY (at, id);



ALTER TABLE ONLY live.ledger_entries_2026_12
    ADD CONSTRAINT ledger_entries_2026_12_pkey PRIMARY KEY (at, id);



ALTER TABLE ONLY live.ledger_heads
    ADD CONSTRAINT ledger_heads_pkey PRIMARY KEY (partner_id);



ALTER TABLE ONLY live.markets
    ADD CONSTRAINT markets_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.move_order_positions
    ADD CONSTRAINT move_order_positions_pkey PRIMARY KEY (order_id, position_id);



ALTER TABLE ONLY live.move_orders
    ADD CONSTRAINT move_orders_decision_id_key UNIQUE (decision_id);



ALTER TABLE ONLY live.move_orders
    ADD CONSTRAINT move_orders_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.moves
    ADD CONSTRAINT moves_pkey PRIMARY KEY (decision_id, leg);



ALTER TABLE ONLY live.partner_policies
    ADD CONSTRAINT partner_policies_pkey PRIMARY KEY (partner_id, version);



ALTER TABLE ONLY live.partner_terms
    ADD CONSTRAINT partner_terms_pkey PRIMARY KEY (partner_id, from_at);



ALTER TABLE ONLY live.partners
    ADD CONSTRAINT partners_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.positions
    ADD CONSTRAINT positions_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.regimes
    ADD CONSTRAINT regimes_pkey PRIMARY KEY (market_id, asset);



ALTER TABLE ONLY live.replicas
    ADD CONSTRAINT replicas_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.revenue_accounts
    ADD CONSTRAINT revenue_accounts_pkey PRIMARY KEY (user_id, asset);



ALTER TABLE ONLY live.secrets_canary
    ADD CONSTRAINT secrets_canary_pkey PRIMARY KEY (single);



ALTER TABLE ONLY live.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.sessions
    ADD CONSTRAINT sessions_secret_hash_key UNIQUE (secret_hash);



ALTER TABLE ONLY live.settlements
    ADD CONSTRAINT settlements_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.settlements
    ADD CONSTRAINT settlements_tx_hash_once UNIQUE (tx_hash);



ALTER TABLE ONLY live.share_prices
    ADD CONSTRAINT share_prices_pkey PRIMARY KEY (vault_id, source, hour);



ALTER TABLE ONLY live.sign_in_codes
    ADD CONSTRAINT sign_in_codes_pkey PRIMARY KEY (digest);



ALTER TABLE ONLY live.signals
    ADD CONSTRAINT signals_pkey PRIMARY KEY (market_id, vault_id);



ALTER TABLE ONLY live.snapshots
    ADD CONSTRAINT snapshots_pkey PRIMARY KEY (market_id, vault_id, hour);



ALTER TABLE ONLY live.statements
    ADD CONSTRAINT statements_pkey PRIMARY KEY (market_id, day_end);



ALTER TABLE ONLY live.stored_bytes
    ADD CONSTRAINT stored_bytes_pkey PRIMARY KEY (partner_id);



ALTER TABLE ONLY live.undelivered
    ADD CONSTRAINT undelivered_pkey PRIMARY KEY (event_id, webhook_id);



ALTER TABLE ONLY live.users
    ADD CONSTRAINT users_external_id_external_scope_key UNIQUE (external_id, external_scope);



ALTER TABLE ONLY live.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.vault_shares
    ADD CONSTRAINT vault_shares_pkey PRIMARY KEY (market_id, vault_id, slot);



ALTER TABLE ONLY live.vault_states
    ADD CONSTRAINT vault_states_pkey PRIMARY KEY (market_id, vault_id);



ALTER TABLE ONLY live.wallets
    ADD CONSTRAINT wallets_pkey PRIMARY KEY (partner_id, address);



ALTER TABLE ONLY live.wallets
    ADD CONSTRAINT wallets_user_id_position_key UNIQUE (user_id, "position");



ALTER TABLE ONLY live.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live.yield_thresholds
    ADD CONSTRAINT yield_thresholds_pkey PRIMARY KEY (market_id, asset, level);



ALTER TABLE ONLY live_jobs._private_job_queues
    ADD CONSTRAINT job_queues_pkey1 PRIMARY KEY (id);



ALTER TABLE ONLY live_jobs._private_job_queues
    ADD CONSTRAINT job_queues_queue_name_key UNIQUE (queue_name);



ALTER TABLE ONLY live_jobs._private_jobs
    ADD CONSTRAINT jobs_key_key1 UNIQUE (key);



ALTER TABLE ONLY live_jobs._private_jobs
    ADD CONSTRAINT jobs_pkey1 PRIMARY KEY (id);



ALTER TABLE ONLY live_jobs._private_known_crontabs
    ADD CONSTRAINT known_crontabs_pkey PRIMARY KEY (identifier);



ALTER TABLE ONLY live_jobs.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);



ALTER TABLE ONLY live_jobs._private_tasks
    ADD CONSTRAINT tasks_identifier_key UNIQUE (identifier);



ALTER TABLE ONLY live_jobs._private_tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);



CREATE INDEX api_keys_by_partner ON live.api_keys USING btree (partner_id) WHERE (partner_id IS NOT NULL);



CREATE INDEX api_keys_by_time ON live.api_keys USING btree (created_at, id);



CREATE INDEX api_keys_of_partner ON live.api_keys USING btree (partner_id) WHERE (revoked_at IS NULL);



CREATE INDEX audit_entries_by_key ON live.audit_entries USING btree (key_id, at, id) WHERE (key_id IS NOT NULL);



CREATE INDEX audit_entries_by_operation ON live.audit_entries USING btree (operation, at, id);



CREATE INDEX audit_entries_by_partner ON live.audit_entries USING btree (partner_id, at, id) WHERE (partner_id IS NOT NULL);



CREATE INDEX audit_entries_by_subject ON live.audit_entries USING gin (subjects);



CREATE INDEX audit_entries_by_time ON live.audit_entries USING btree (at, id);



CREATE INDEX book_shares_routed ON live.book_shares USING btree (market_id, partner_id, asset, vault_id) WHERE (book = 'routed'::text);



CREATE INDEX campaigns_by_partner ON live.campaigns USING btree (partner_id, created_at, id);



CREATE INDEX decisions_by_hour ON live.decisions USING btree (market_id, hour) WHERE (kind <> 'route'::text);



CREATE INDEX decisions_by_partner ON live.decisions USING btree (partner_id, at, id);



CREATE INDEX deliveries_by_partner ON live.deliveries USING btree (partner_id, at, id) WHERE (status <> 'queued'::text);



CREATE INDEX deliveries_in_flight ON live.deliveries USING btree (webhook_id) WHERE (status = 'pending'::text);



CREATE INDEX deliveries_pending ON live.deliveries USING btree (claimed_at) WHERE (status = 'pending'::text);



CREATE INDEX deliveries_queued ON live.deliveries USING btree (webhook_id, at, id) WHERE (status = 'queued'::text);



CREATE INDEX deliveries_to_host ON live.deliveries USING btree (partner_id, host, status, claimed_at) WHERE (host IS NOT NULL);



CREATE INDEX events_by_recording ON live.events USING btree (recorded_at);



CREATE INDEX events_of_partner ON live.events USING btree (partner_id, recorded_at, id) INCLUDE (type);



CREATE INDEX events_of_partner_by_type ON live.events USING btree (partner_id, type, recorded_at, id);



CREATE INDEX events_to_fan_out_of_partner ON live.events USING btree (partner_id, recorded_at, id) WHERE (NOT fanned_out);



CREATE INDEX idempotency_claims_by_subject ON live.idempotency_claims USING btree (subject_id) WHERE (subject_id IS NOT NULL);



CREATE INDEX idempotency_claims_by_time ON live.idempotency_claims USING btree (claimed_at);



CREATE INDEX ledger_by_partner ON ONLY live.ledger_entries USING btree (partner_id, id);



CREATE INDEX ledger_by_place ON ONLY live.ledger_entries USING btree (user_id, asset COLLATE "C", revenue_place, id) WHERE (revenue_place IS NOT NULL);



CREATE INDEX ledger_by_position ON ONLY live.ledger_entries USING btree (position_id, at, id);



CREATE INDEX ledger_by_user ON ONLY live.ledger_entries USING btree (user_id, id);



CREATE INDEX ledger_changes ON ONLY live.ledger_entries USING btree (position_id, at, id) WHERE ((type <> 'yield_accrual'::text) OR (decision_id IS NOT NULL) OR (voids IS NOT NULL));



CREATE INDEX ledger_decisions_by_position ON ONLY live.ledger_entries USING btree (position_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_decisions_by_user ON ONLY live.ledger_entries USING btree (user_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_entries_2026_01_partner_id_id_idx ON live.ledger_entries_2026_01 USING btree (partner_id, id);



CREATE INDEX ledger_entries_2026_01_position_id_at_id_idx ON live.ledger_entries_2026_01 USING btree (position_id, at, id);



CREATE INDEX ledger_entries_2026_01_position_id_at_id_idx1 ON live.ledger_entries_2026_01 USING btree (position_id, at, id) WHERE ((type <> 'yield_accrual'::text) OR (decision_id IS NOT NULL) OR (voids IS NOT NULL));



CREATE INDEX ledger_entries_2026_01_position_id_decision_id_idx ON live.ledger_entries_2026_01 USING btree (position_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_entries_2026_01_user_id_asset_revenue_place_id_idx ON live.ledger_entries_2026_01 USING btree (user_id, asset COLLATE "C", revenue_place, id) WHERE (revenue_place IS NOT NULL);



CREATE INDEX ledger_entries_2026_01_user_id_decision_id_idx ON live.ledger_entries_2026_01 USING btree (user_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_entries_2026_01_user_id_id_idx ON live.ledger_entries_2026_01 USING btree (user_id, id);



CREATE INDEX ledger_entries_2026_02_partner_id_id_idx ON live.ledger_entries_2026_02 USING btree (partner_id, id);



CREATE INDEX ledger_entries_2026_02_position_id_at_id_idx ON live.ledger_entries_2026_02 USING btree (position_id, at, id);



CREATE INDEX ledger_entries_2026_02_position_id_at_id_idx1 ON live.ledger_entries_2026_02 USING btree (position_id, at, id) WHERE ((type <> 'yield_accrual'::text) OR (decision_id IS NOT NULL) OR (voids IS NOT NULL));



CREATE INDEX ledger_entries_2026_02_position_id_decision_id_idx ON live.ledger_entries_2026_02 USING btree (position_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_entries_2026_02_user_id_asset_revenue_place_id_idx ON live.ledger_entries_2026_02 USING btree (user_id, asset COLLATE "C", revenue_place, id) WHERE (revenue_place IS NOT NULL);



CREATE INDEX ledger_entries_2026_02_user_id_decision_id_idx ON live.ledger_entries_2026_02 USING btree (user_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_entries_2026_02_user_id_id_idx ON live.ledger_entries_2026_02 USING btree (user_id, id);



CREATE INDEX ledger_entries_2026_11_partner_id_id_idx ON live.ledger_entries_2026_11 USING btree (partner_id, id);



CREATE INDEX ledger_entries_2026_11_position_id_at_id_idx ON live.ledger_entries_2026_11 USING btree (position_id, at, id);



CREATE INDEX ledger_entries_2026_11_position_id_at_id_idx1 ON live.ledger_entries_2026_11 USING btree (position_id, at, id) WHERE ((type <> 'yield_accrual'::text) OR (decision_id IS NOT NULL) OR (voids IS NOT NULL));



CREATE INDEX ledger_entries_2026_11_position_id_decision_id_idx ON live.ledger_entries_2026_11 USING btree (position_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_entries_2026_11_user_id_asset_revenue_place_id_idx ON live.ledger_entries_2026_11 USING btree (user_id, asset COLLATE "C", revenue_place, id) WHERE (revenue_place IS NOT NULL);



CREATE INDEX ledger_entries_2026_11_user_id_decision_id_idx ON live.ledger_entries_2026_11 USING btree (user_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_entries_2026_11_user_id_id_idx ON live.ledger_entries_2026_11 USING btree (user_id, id);



CREATE INDEX ledger_entries_2026_12_partner_id_id_idx ON live.ledger_entries_2026_12 USING btree (partner_id, id);



CREATE INDEX ledger_entries_2026_12_position_id_at_id_idx ON live.ledger_entries_2026_12 USING btree (position_id, at, id);



CREATE INDEX ledger_entries_2026_12_position_id_at_id_idx1 ON live.ledger_entries_2026_12 USING btree (position_id, at, id) WHERE ((type <> 'yield_accrual'::text) OR (decision_id IS NOT NULL) OR (voids IS NOT NULL));



CREATE INDEX ledger_entries_2026_12_position_id_decision_id_idx ON live.ledger_entries_2026_12 USING btree (position_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_entries_2026_12_user_id_asset_revenue_place_id_idx ON live.ledger_entries_2026_12 USING btree (user_id, asset COLLATE "C", revenue_place, id) WHERE (revenue_place IS NOT NULL);



CREATE INDEX ledger_entries_2026_12_user_id_decision_id_idx ON live.ledger_entries_2026_12 USING btree (user_id, decision_id) WHERE (decision_id IS NOT NULL);



CREATE INDEX ledger_entries_2026_12_user_id_id_idx ON live.ledger_entries_2026_12 USING btree (user_id, id);



CREATE INDEX markets_by_owner ON live.markets USING btree (owner_id) WHERE (owner_id IS NOT NULL);



CREATE INDEX move_orders_by_partner ON live.move_orders USING btree (partner_id, requested_at, id);



CREATE INDEX move_orders_by_review ON live.move_orders USING btree (review_status, requested_at, id) WHERE (review_status IS NOT NULL);



CREATE INDEX move_orders_by_status ON live.move_orders USING btree (status, requested_at, id);



CREATE INDEX move_orders_by_time ON live.move_orders USING btree (requested_at, id);



CREATE INDEX move_orders_of_batch ON live.move_orders USING btree (batch_id, id) WHERE (batch_id IS NOT NULL);



CREATE UNIQUE INDEX move_orders_of_group ON live.move_orders USING btree (partner_id, from_vault_id) WHERE ((status = ANY (ARRAY['requested'::text, 'redeeming'::text])) AND (position_id IS NULL));



CREATE INDEX move_orders_of_position ON live.move_orders USING btree (position_id, requested_at, id) WHERE (position_id IS NOT NULL);



CREATE INDEX move_orders_open ON live.move_orders USING btree (market_id, id) WHERE (ended_at IS NULL);



CREATE INDEX move_orders_redeemed_by ON live.move_orders USING btree (redeemed_by, asset, redeemed_at) WHERE (redeemed_by IS NOT NULL);



CREATE INDEX move_orders_settled_by ON live.move_orders USING btree (settled_by, asset, settled_at) WHERE (settled_by IS NOT NULL);



CREATE INDEX moves_by_market ON live.moves USING btree (market_id);



CREATE INDEX moves_due ON live.moves USING btree (market_id, due_hour) WHERE ((realised_hour IS NULL) AND (due_hour IS NOT NULL));



CREATE INDEX moves_open ON live.moves USING btree (market_id, decision_id) WHERE (done_at IS NULL);



CREATE INDEX partner_terms_by_time ON live.partner_terms USING btree (from_at);



CREATE INDEX partners_by_time ON live.partners USING btree (created_at, id);



CREATE INDEX positions_by_partner ON live.positions USING btree (partner_id, opened_at, id);



CREATE INDEX positions_by_size ON live.positions USING btree (partner_id, vault_id, shares DESC, id) WHERE (status <> 'closed'::text);



CREATE INDEX positions_by_time ON live.positions USING btree (opened_at, id);



CREATE INDEX positions_by_user ON live.positions USING btree (user_id, opened_at, id);



CREATE INDEX positions_in_transit ON live.positions USING btree (market_id, transit_id, id) WHERE (transit_id IS NOT NULL);



CREATE INDEX positions_in_vault ON live.positions USING btree (partner_id, vault_id, id) WHERE (closed_at IS NULL);



CREATE INDEX positions_of_deposit ON live.positions USING btree (deposit_id) WHERE (deposit_id IS NOT NULL);



CREATE INDEX positions_open ON live.positions USING btree (market_id, id) WHERE (closed_at IS NULL);



CREATE INDEX positions_open_of_user ON live.positions USING btree (user_id, asset, vault_id) WHERE (closed_at IS NULL);



CREATE INDEX revenue_accounts_by_partner ON live.revenue_accounts USING btree (partner_id);



CREATE INDEX sessions_by_end ON live.sessions USING btree (expires_at);



CREATE INDEX sessions_of_key ON live.sessions USING btree (key_id, created_at, id);



CREATE INDEX settlements_by_deposit ON live.settlements USING btree (deposit_id) WHERE (deposit_id IS NOT NULL);



CREATE INDEX settlements_by_partner ON live.settlements USING btree (partner_id, recorded_at, id);



CREATE INDEX settlements_by_position ON live.settlements USING btree (position_id, recorded_at, id);



CREATE INDEX settlements_by_status ON live.settlements USING btree (status, recorded_at, id);



CREATE INDEX settlements_by_time ON live.settlements USING btree (recorded_at, id);



CREATE INDEX settlements_due ON live.settlements USING btree (chain, asset, partner_id, due_at) WHERE (due_at IS NOT NULL);



CREATE INDEX settlements_unresolved ON live.settlements USING btree (position_id) WHERE ((status = ANY (ARRAY['mismatch'::text, 'not_found'::text])) AND (resolution IS NULL));



CREATE INDEX sign_in_codes_by_end ON live.sign_in_codes USING btree (expires_at);



CREATE INDEX statements_to_close ON live.statements USING btree (market_id, day_end) WHERE (closed_at IS NULL);



CREATE INDEX stored_bytes_by_book ON live.stored_bytes USING btree (book);



CREATE INDEX stored_bytes_by_records ON live.stored_bytes USING btree (records);



CREATE INDEX stored_bytes_by_traffic ON live.stored_bytes USING btree (traffic);



CREATE INDEX stored_bytes_due ON live.stored_bytes USING btree (due_at);



CREATE INDEX undelivered_by_endpoint ON live.undelivered USING btree (webhook_id, type, raised_at, event_id);



CREATE INDEX users_by_partner ON live.users USING btree (partner_id, created_at, id);



CREATE INDEX webhook_endpoints_by_partner ON live.webhook_endpoints USING btree (partner_id, created_at, id);



CREATE INDEX webhook_endpoints_of_partner ON live.webhook_endpoints USING btree (partner_id, id) WHERE active;



CREATE INDEX webhook_endpoints_rotating ON live.webhook_endpoints USING btree (previous_expires_at) WHERE (previous_expires_at IS NOT NULL);



CREATE INDEX jobs_main_index ON live_jobs._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id, job_queue_id) WHERE (is_available = true);



CREATE INDEX jobs_no_queue_index ON live_jobs._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id) WHERE ((is_available = true) AND (job_queue_id IS NULL));



ALTER INDEX live.ledger_by_partner ATTACH PARTITION live.ledger_entries_2026_01_partner_id_id_idx;



ALTER INDEX live.ledger_entries_pkey ATTACH PARTITION live.ledger_entries_2026_01_pkey;



ALTER INDEX live.ledger_by_position ATTACH PARTITION live.ledger_entries_2026_01_position_id_at_id_idx;



ALTER INDEX live.ledger_changes ATTACH PARTITION live.ledger_entries_2026_01_position_id_at_id_idx1;



ALTER INDEX live.ledger_decisions_by_position ATTACH PARTITION live.ledger_entries_2026_01_position_id_decision_id_idx;



ALTER INDEX live.ledger_by_place ATTACH PARTITION live.ledger_entries_2026_01_user_id_asset_revenue_place_id_idx;



ALTER INDEX live.ledger_decisions_by_user ATTACH PARTITION live.ledger_entries_2026_01_user_id_decision_id_idx;



ALTER INDEX live.ledger_by_user ATTACH PARTITION live.ledger_entries_2026_01_user_id_id_idx;



ALTER INDEX live.ledger_by_partner ATTACH PARTITION live.ledger_entries_2026_02_partner_id_id_idx;



ALTER INDEX live.ledger_entries_pkey ATTACH PARTITION live.ledger_entries_2026_02_pkey;



ALTER INDEX live.ledger_by_position ATTACH PARTITION live.ledger_entries_2026_02_position_id_at_id_idx;



ALTER INDEX live.ledger_changes ATTACH PARTITION live.ledger_entries_2026_02_position_id_at_id_idx1;



ALTER INDEX live.ledger_decisions_by_position ATTACH PARTITION live.ledger_entries_2026_02_position_id_decision_id_idx;



ALTER INDEX live.ledger_by_place ATTACH PARTITION live.ledger_entries_2026_02_user_id_asset_revenue_place_id_idx;



ALTER INDEX live.ledger_decisions_by_user ATTACH PARTITION live.ledger_entries_2026_02_user_id_decision_id_idx;



ALTER INDEX live.ledger_by_user ATTACH PARTITION live.ledger_entries_2026_02_user_id_id_idx;



ALTER INDEX live.ledger_by_partner ATTACH PARTITION live.ledger_entries_2026_11_partner_id_id_idx;



ALTER INDEX live.ledger_entries_pkey ATTACH PARTITION live.ledger_entries_2026_11_pkey;



ALTER INDEX live.ledger_by_position ATTACH PARTITION live.ledger_entries_2026_11_position_id_at_id_idx;



ALTER INDEX live.ledger_changes ATTACH PARTITION live.ledger_entries_2026_11_position_id_at_id_idx1;



ALTER INDEX live.ledger_decisions_by_position ATTACH PARTITION live.ledger_entries_2026_11_position_id_decision_id_idx;



ALTER INDEX live.ledger_by_place ATTACH PARTITION live.ledger_entries_2026_11_user_id_asset_revenue_place_id_idx;



ALTER INDEX live.ledger_decisions_by_user ATTACH PARTITION live.ledger_entries_2026_11_user_id_decision_id_idx;



ALTER INDEX live.ledger_by_user ATTACH PARTITION live.ledger_entries_2026_11_user_id_id_idx;



ALTER INDEX live.ledger_by_partner ATTACH PARTITION live.ledger_entries_2026_12_partner_id_id_idx;



ALTER INDEX live.ledger_entries_pkey ATTACH PARTITION live.ledger_entries_2026_12_pkey;



ALTER INDEX live.ledger_by_position ATTACH PARTITION live.ledger_entries_2026_12_position_id_at_id_idx;



ALTER INDEX live.ledger_changes ATTACH PARTITION live.ledger_entries_2026_12_position_id_at_id_idx1;



ALTER INDEX live.ledger_decisions_by_position ATTACH PARTITION live.ledger_entries_2026_12_position_id_decision_id_idx;



ALTER INDEX live.ledger_by_place ATTACH PARTITION live.ledger_entries_2026_12_user_id_asset_revenue_place_id_idx;



ALTER INDEX live.ledger_decisions_by_user ATTACH PARTITION live.ledger_entries_2026_12_user_id_decision_id_idx;



ALTER INDEX live.ledger_by_user ATTACH PARTITION live.ledger_entries_2026_12_user_id_id_idx;



CREATE TRIGGER audit_is_final BEFORE UPDATE ON live.audit_entries FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER audit_is_kept BEFORE DELETE ON live.audit_entries FOR EACH ROW EXECUTE FUNCTION live.refuse_deletion_of_audit('id');



CREATE TRIGGER audit_links_are_final BEFORE UPDATE ON live.audit_links FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER audit_links_are_kept BEFORE DELETE ON live.audit_links FOR EACH ROW EXECUTE FUNCTION live.refuse_deletion_of_audit('entry_id');



CREATE TRIGGER audit_links_stay BEFORE TRUNCATE ON live.audit_links FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER audit_stays BEFORE TRUNCATE ON live.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER blended_points_are_final BEFORE UPDATE ON live.blended_points FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER closed_books_are_final BEFORE UPDATE ON live.closed_books FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER closed_books_are_kept BEFORE DELETE ON live.closed_books FOR EACH ROW EXECUTE FUNCTION live.refuse_deletion('partner_id');



CREATE TRIGGER closed_books_stay BEFORE TRUNCATE ON live.closed_books FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER daily_closings_are_final BEFORE UPDATE ON live.daily_closings FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER daily_closings_are_kept BEFORE DELETE ON live.daily_closings FOR EACH ROW EXECUTE FUNCTION live.refuse_deletion('partner_id');



CREATE TRIGGER daily_closings_stay BEFORE TRUNCATE ON live.daily_closings FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER decisions_are_final BEFORE UPDATE ON live.decisions FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER decisions_are_kept BEFORE DELETE ON live.decisions FOR EACH ROW EXECUTE FUNCTION live.refuse_deletion('market_id');



CREATE TRIGGER decisions_stay BEFORE TRUNCATE ON live.decisions FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER deployment_changes_are_final BEFORE DELETE OR UPDATE ON live.deployment_changes FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER deployment_changes_stay BEFORE TRUNCATE ON live.deployment_changes FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER ledger_is_final BEFORE UPDATE ON live.ledger_entries FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER ledger_is_kept BEFORE DELETE ON live.ledger_entries FOR EACH ROW EXECUTE FUNCTION live.refuse_deletion_of_entry();



CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON live.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON live.ledger_entries_2026_01 FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON live.ledger_entries_2026_02 FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON live.ledger_entries_2026_11 FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER ledger_stays BEFORE TRUNCATE ON live.ledger_entries_2026_12 FOR EACH STATEMENT EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER partner_policies_are_final BEFORE UPDATE ON live.partner_policies FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER share_prices_are_final BEFORE UPDATE ON live.share_prices FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



CREATE TRIGGER snapshots_are_final BEFORE UPDATE ON live.snapshots FOR EACH ROW EXECUTE FUNCTION live.refuse_change();



ALTER TABLE ONLY live.alerted_partners
    ADD CONSTRAINT alerted_partners_market_id_kind_subject_fkey FOREIGN KEY (market_id, kind, subject) REFERENCES live.alerts(market_id, kind, subject);



ALTER TABLE ONLY live.alerted_partners
    ADD CONSTRAINT alerted_partners_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.alerts
    ADD CONSTRAINT alerts_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE ONLY live.api_keys
    ADD CONSTRAINT api_keys_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.blended_points
    ADD CONSTRAINT blended_points_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE ONLY live.campaign_terms
    ADD CONSTRAINT campaign_terms_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES live.campaigns(id);



ALTER TABLE ONLY live.campaigns
    ADD CONSTRAINT campaigns_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.closed_books
    ADD CONSTRAINT closed_books_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.daily_closings
    ADD CONSTRAINT daily_closings_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.deliveries
    ADD CONSTRAINT deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES live.events(id);



ALTER TABLE ONLY live.deliveries
    ADD CONSTRAINT deliveries_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.endpoint_health
    ADD CONSTRAINT endpoint_health_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES live.webhook_endpoints(id) ON DELETE CASCADE;



ALTER TABLE ONLY live.events
    ADD CONSTRAINT events_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.idempotency_claims
    ADD CONSTRAINT idempotency_claims_key_id_fkey FOREIGN KEY (key_id) REFERENCES live.api_keys(id);



ALTER TABLE ONLY live.markets
    ADD CONSTRAINT markets_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.move_order_positions
    ADD CONSTRAINT move_order_positions_order_id_fkey FOREIGN KEY (order_id) REFERENCES live.move_orders(id);



ALTER TABLE ONLY live.move_orders
    ADD CONSTRAINT move_orders_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES live.decisions(id);



ALTER TABLE ONLY live.move_orders
    ADD CONSTRAINT move_orders_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE ONLY live.moves
    ADD CONSTRAINT moves_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES live.decisions(id);



ALTER TABLE ONLY live.moves
    ADD CONSTRAINT moves_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE ONLY live.partner_policies
    ADD CONSTRAINT partner_policies_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.partner_terms
    ADD CONSTRAINT partner_terms_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.positions
    ADD CONSTRAINT positions_user_id_fkey FOREIGN KEY (user_id) REFERENCES live.users(id);



ALTER TABLE ONLY live.regimes
    ADD CONSTRAINT regimes_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE ONLY live.revenue_accounts
    ADD CONSTRAINT revenue_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES live.users(id);



ALTER TABLE ONLY live.sessions
    ADD CONSTRAINT sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES live.api_keys(id);



ALTER TABLE ONLY live.sign_in_codes
    ADD CONSTRAINT sign_in_codes_key_id_fkey FOREIGN KEY (key_id) REFERENCES live.api_keys(id);



ALTER TABLE ONLY live.signals
    ADD CONSTRAINT signals_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE ONLY live.snapshots
    ADD CONSTRAINT snapshots_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE ONLY live.statements
    ADD CONSTRAINT statements_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE ONLY live.undelivered
    ADD CONSTRAINT undelivered_event_id_fkey FOREIGN KEY (event_id) REFERENCES live.events(id);



ALTER TABLE ONLY live.users
    ADD CONSTRAINT users_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.vault_states
    ADD CONSTRAINT vault_states_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE ONLY live.wallets
    ADD CONSTRAINT wallets_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.wallets
    ADD CONSTRAINT wallets_user_id_fkey FOREIGN KEY (user_id) REFERENCES live.users(id);



ALTER TABLE ONLY live.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES live.partners(id);



ALTER TABLE ONLY live.yield_thresholds
    ADD CONSTRAINT yield_thresholds_market_id_fkey FOREIGN KEY (market_id) REFERENCES live.markets(id);



ALTER TABLE live_jobs._private_job_queues ENABLE ROW LEVEL SECURITY;


ALTER TABLE live_jobs._private_jobs ENABLE ROW LEVEL SECURITY;


ALTER TABLE live_jobs._private_known_crontabs ENABLE ROW LEVEL SECURITY;


ALTER TABLE live_jobs._private_tasks ENABLE ROW LEVEL SECURITY;



