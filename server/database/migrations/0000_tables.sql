-- The tables of version 1.0, slice by slice, with what drizzle-kit cannot write: an exclusion constraint, and what rows are given by
-- triggers. Its time in meta/_journal.json is also that of the last migration made before 1.0: a database that had them all has this.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Text as a search compares it: without case and accents, ligatures and apostrophes as they are typed.
CREATE FUNCTION fold_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(replace(replace(
    regexp_replace(normalize(lower(value), NFD), '[\u0300-\u036f]', '', 'g'), 'œ', 'oe'), 'æ', 'ae'), '’', '''')
$$;

-- Database

CREATE TABLE once_flags (
  name text PRIMARY KEY,
  done_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE rate_limits (
  key text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

-- The steps that were done after the migrations (server/database/online-steps.ts).
CREATE TABLE online_steps (
  name text PRIMARY KEY,
  done_at timestamptz NOT NULL DEFAULT now()
);

-- What changed, in the words of contract/topics.ts, as rows of the transaction that changes it. A cache reads what became visible
-- since its last look (server/live/change-feed.ts). Nothing of it is logged: after a crash its epoch is another one.
CREATE UNLOGGED TABLE changes (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  topic text NOT NULL
);
CREATE INDEX changes_xid ON changes (xid);

-- One row: which life of the table of changes this is, and before which transaction its rows may be gone.
CREATE UNLOGGED TABLE change_feed (
  "only" boolean DEFAULT true PRIMARY KEY CHECK ("only"),
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  kept_from xid8 NOT NULL DEFAULT pg_current_xact_id()
);

-- Tallies

CREATE TABLE tallies (
  what text NOT NULL,
  hour timestamptz NOT NULL,
  count integer NOT NULL,
  francs bigint NOT NULL,
  CONSTRAINT tallies_what_hour_pk PRIMARY KEY (what, hour)
);
CREATE INDEX tallies_hour ON tallies (hour, what, count);

CREATE TABLE tally_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  what text NOT NULL,
  hour timestamptz NOT NULL,
  count integer NOT NULL,
  francs bigint NOT NULL
);

-- Alarms and backups

CREATE TABLE alarms (
  key text PRIMARY KEY,
  level text NOT NULL,
  message text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  told_at timestamptz,
  CONSTRAINT alarms_level CHECK (level in ('warning', 'critical'))
);

CREATE TABLE backups (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  file text NOT NULL,
  bytes bigint,
  failure text
);
CREATE INDEX backups_started ON backups (started_at);

-- SMS

CREATE TABLE sms_messages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recipient text NOT NULL,
  body text,
  kind text NOT NULL DEFAULT 'code',
  reference uuid NOT NULL DEFAULT gen_random_uuid(),
  flow_id uuid,
  is_trusted boolean NOT NULL DEFAULT false,
  source_address text,
  source_network text,
  status text NOT NULL DEFAULT 'queued',
  provider text,
  job_id bigint,
  doubtful text[] NOT NULL DEFAULT '{}',
  gateway_id text,
  failure text,
  delivery text,
  delivered_at timestamptz,
  converted_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  drop_after timestamptz NOT NULL,
  sent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sms_messages_kind CHECK (kind in ('code', 'decision', 'alarm', 'test')),
  CONSTRAINT sms_messages_delivery CHECK (delivery in ('delivered', 'undelivered')),
  CONSTRAINT sms_messages_status CHECK (status in ('queued', 'sent', 'failed', 'expired')),
  CONSTRAINT sms_messages_wiped CHECK (status = 'queued' or body is null)
);
CREATE INDEX sms_messages_created ON sms_messages (created_at);
CREATE INDEX sms_messages_flow ON sms_messages (flow_id);
CREATE INDEX sms_messages_source ON sms_messages (source_network, created_at);
CREATE UNIQUE INDEX sms_messages_reference ON sms_messages (reference);
CREATE INDEX sms_messages_gateway ON sms_messages (provider, gateway_id);
CREATE INDEX sms_messages_queued ON sms_messages (id) WHERE status = 'queued';

CREATE TABLE sms_days (
  day date NOT NULL,
  dial_code text NOT NULL,
  queued integer NOT NULL,
  signup integer NOT NULL DEFAULT 0,
  trusted integer NOT NULL DEFAULT 0,
  decision integer NOT NULL DEFAULT 0,
  CONSTRAINT sms_days_day_dial_code_pk PRIMARY KEY (day, dial_code)
);

CREATE TABLE sms_gateways (
  name text PRIMARY KEY,
  position integer,
  dial_codes text NOT NULL,
  last_sent_at timestamptz,
  last_failed_at timestamptz,
  failure text,
  failures_in_a_row integer NOT NULL DEFAULT 0,
  unanswered_in_a_row integer NOT NULL DEFAULT 0,
  next_at timestamptz,
  recent_tried real NOT NULL DEFAULT 0,
  recent_failed real NOT NULL DEFAULT 0,
  recent_at timestamptz,
  balance integer,
  balance_at timestamptz,
  balance_failure text
);

CREATE TABLE sms_settings (
  id boolean DEFAULT true PRIMARY KEY,
  per_day integer NOT NULL DEFAULT 500,
  per_country_and_day integer NOT NULL DEFAULT 100,
  on_decision boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sms_settings_one CHECK (id),
  CONSTRAINT sms_settings_caps CHECK (per_day between 0 and 1000000 and per_country_and_day between 0 and 1000000)
);

-- Images

CREATE TABLE image_owner (
  id boolean DEFAULT true PRIMARY KEY,
  name uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT image_owner_one CHECK (id)
);

-- People

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  first_name text NOT NULL,
  last_name text NOT NULL,
  phone text NOT NULL,
  email text,
  password text,
  is_guest boolean NOT NULL DEFAULT false,
  is_verified boolean NOT NULL DEFAULT false,
  is_admin boolean NOT NULL DEFAULT false,
  country_code text NOT NULL DEFAULT '+226',
  deactivated_at timestamptz,
  search_text text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT users_phone_unique UNIQUE (phone),
  CONSTRAINT users_phone_form CHECK (phone ~ '^(\+(226|225|223|227|229|228|221)[0-9]{8,10}|guest:[0-9a-f-]{36})$'),
  CONSTRAINT users_guest_phone CHECK (is_guest = starts_with(phone, 'guest:')),
  CONSTRAINT users_guest_rights CHECK (not (is_guest and (is_admin or is_verified))),
  CONSTRAINT users_password CHECK (not is_admin or password is not null),
  CONSTRAINT users_country CHECK (country_code in ('+226', '+225', '+223', '+227', '+229', '+228', '+221')),
  CONSTRAINT users_deactivated CHECK (deactivated_at is null or not (is_verified or is_admin))
);
CREATE INDEX users_email ON users (lower(email)) WHERE email is not null and is_verified;
CREATE INDEX users_never_verified ON users (updated_at)
  WHERE not (is_verified or is_guest or is_admin) and deactivated_at is null;
CREATE INDEX users_search ON users USING gin (search_text gin_trgm_ops);
CREATE INDEX users_guests ON users (id) WHERE is_guest;

CREATE FUNCTION user_search_text(first_name text, last_name text, email text, phone text, is_guest boolean)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT fold_text(first_name || ' ' || last_name || E'\n' || coalesce(email, '') || E'\n' ||
    CASE WHEN is_guest THEN '' ELSE phone END)
$$;

CREATE FUNCTION set_user_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := user_search_text(NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.is_guest);
  RETURN NEW;
END $$;

CREATE TRIGGER users_set_search_text BEFORE INSERT OR UPDATE OF first_name, last_name, email, phone, is_guest ON users
  FOR EACH ROW EXECUTE FUNCTION set_user_search_text();

CREATE TABLE sessions (
  sid text PRIMARY KEY,
  sess jsonb NOT NULL DEFAULT '{}',
  user_id integer NOT NULL CONSTRAINT sessions_user_id_users_id_fk
    REFERENCES users (id) ON DELETE CASCADE,
  expire timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_expire ON sessions (expire);
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE notifications (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL CONSTRAINT notifications_user_id_users_id_fk
    REFERENCES users (id) ON DELETE CASCADE,
  title text NOT NULL,
  message text NOT NULL,
  is_read boolean NOT NULL DEFAULT false,
  type text NOT NULL DEFAULT 'info',
  related_ticket_id integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT notifications_type CHECK (type in ('success', 'error', 'warning', 'info'))
);
CREATE INDEX notifications_user ON notifications (user_id, id);
CREATE INDEX notifications_unread ON notifications (user_id) WHERE not is_read;
CREATE INDEX notifications_ticket ON notifications (related_ticket_id);

CREATE TABLE push_keys (
  id boolean DEFAULT true PRIMARY KEY,
  public_key text NOT NULL,
  private_key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT push_keys_one CHECK (id)
);

CREATE TABLE push_subscriptions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL CONSTRAINT push_subscriptions_user_id_users_id_fk
    REFERENCES users (id) ON DELETE CASCADE,
  endpoint text NOT NULL,
  p256dh text NOT NULL,
  auth text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT push_subscriptions_endpoint_unique UNIQUE (endpoint)
);
CREATE INDEX push_subscriptions_user ON push_subscriptions (user_id);

-- Audit log

CREATE TABLE audit_log (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  actor_id integer,
  action text NOT NULL,
  target text,
  details jsonb NOT NULL DEFAULT '{}',
  status integer NOT NULL,
  code text,
  count integer NOT NULL DEFAULT 1,
  ip text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT audit_log_count CHECK (count >= 1)
);
CREATE INDEX audit_log_created ON audit_log (created_at);
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);

-- The log only grows; rows older than what an operator keeps go by trim_audit_log, which writes that into the log.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('guichet.trimming_audit_log', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION trim_audit_log(before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  gone integer;
BEGIN
  PERFORM set_config('guichet.trimming_audit_log', 'on', true);
  DELETE FROM audit_log WHERE created_at < before;
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('guichet.trimming_audit_log', 'off', true);
  INSERT INTO audit_log (action, details, status, ip)
  VALUES ('trim_audit_log', jsonb_build_object('before', before, 'rows', gone), 200, 'local');
  RETURN gone;
END $$;

-- Sign-up, sign-in and codes

CREATE TABLE otp_flows (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  phone text NOT NULL,
  purpose text NOT NULL,
  claim jsonb,
  key_hash text,
  is_known boolean NOT NULL DEFAULT false,
  proven_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT otp_flows_purpose CHECK (purpose in ('signup', 'reset')),
  CONSTRAINT otp_flows_claim CHECK ((purpose = 'signup') = (claim is not null) or (purpose = 'signup' and closed_at is not null))
);
CREATE INDEX otp_flows_phone ON otp_flows (phone, purpose);

CREATE TABLE otp_codes (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  flow_id uuid NOT NULL CONSTRAINT otp_codes_flow_id_otp_flows_id_fk
    REFERENCES otp_flows (id) ON DELETE CASCADE,
  phone text NOT NULL,
  code text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  stranger_attempts integer NOT NULL DEFAULT 0,
  is_second boolean NOT NULL DEFAULT false,
  is_used boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT otp_codes_attempts CHECK (attempts between 0 and 3),
  CONSTRAINT otp_codes_stranger_attempts CHECK (stranger_attempts between 0 and 3)
);
CREATE INDEX otp_codes_flow ON otp_codes (flow_id);
CREATE UNIQUE INDEX otp_codes_one_live ON otp_codes (flow_id) WHERE not is_used;
CREATE INDEX otp_codes_phone ON otp_codes (phone, created_at);
CREATE INDEX otp_codes_created ON otp_codes (created_at);

CREATE TABLE reset_tokens (
  token text PRIMARY KEY,
  user_id integer NOT NULL CONSTRAINT reset_tokens_user_id_users_id_fk
    REFERENCES users (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX reset_tokens_user ON reset_tokens (user_id);

CREATE TABLE sign_in_attempts (
  account text NOT NULL,
  source text NOT NULL,
  failures integer NOT NULL,
  next_at timestamptz NOT NULL,
  forget_at timestamptz NOT NULL,
  CONSTRAINT sign_in_attempts_account_source_pk PRIMARY KEY (account, source)
);
CREATE INDEX sign_in_attempts_forget ON sign_in_attempts (forget_at);

-- Payment types, pages and settings

CREATE TABLE payment_types (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  picture_url text,
  icon text,
  operator text,
  countries text[] NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT payment_types_name CHECK (length(trim(name)) > 0),
  CONSTRAINT payment_types_countries CHECK (countries <@ array['+226', '+225', '+223', '+227', '+229', '+228', '+221'])
);
CREATE UNIQUE INDEX payment_types_name_once ON payment_types (lower(name));

CREATE TABLE content_pages (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slug text NOT NULL,
  title text NOT NULL,
  content text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT content_pages_slug_unique UNIQUE (slug),
  CONSTRAINT content_pages_slug CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$')
);

CREATE TABLE background_settings (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  background_image text,
  opacity integer NOT NULL DEFAULT 30,
  blur integer NOT NULL DEFAULT 5,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT background_settings_opacity CHECK (opacity between 0 and 100),
  CONSTRAINT background_settings_blur CHECK (blur between 0 and 20)
);
CREATE UNIQUE INDEX background_settings_one_active ON background_settings (is_active) WHERE is_active;

CREATE TABLE reject_reasons (
  position integer PRIMARY KEY,
  text text NOT NULL,
  CONSTRAINT reject_reasons_text CHECK (length(trim(text)) between 1 and 300)
);

INSERT INTO reject_reasons (position, text) VALUES
  (1, 'Paiement introuvable.'),
  (2, 'Numéro du bénéficiaire incorrect.'),
  (3, 'Montant différent du total à payer.');

-- Catalogue

CREATE TABLE services (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  price text,
  picture_url text,
  level integer NOT NULL DEFAULT 1,
  parent_id integer,
  parent_level integer GENERATED ALWAYS AS (level - 1) STORED,
  is_final_level boolean NOT NULL DEFAULT false,
  is_visible boolean NOT NULL DEFAULT true,
  allow_user_price_input boolean NOT NULL DEFAULT false,
  commission_type text NOT NULL DEFAULT 'fixed',
  commission_value numeric(12, 2) NOT NULL DEFAULT 0,
  text_size text NOT NULL DEFAULT 'medium',
  text_color text NOT NULL DEFAULT '#1E293B',
  text_style text NOT NULL DEFAULT 'normal',
  phone_number text,
  sort_order integer NOT NULL DEFAULT 0,
  operator_note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT services_id_level UNIQUE (id, level),
  CONSTRAINT services_name CHECK (length(trim(name)) > 0),
  CONSTRAINT services_level CHECK (level between 1 and 5),
  CONSTRAINT services_root CHECK ((parent_id is null) = (level = 1)),
  CONSTRAINT services_commission_type CHECK (commission_type in ('fixed', 'percentage', 'range')),
  CONSTRAINT services_commission_value CHECK (commission_value >= 0),
  CONSTRAINT services_percentage CHECK (commission_type <> 'percentage' or commission_value <= 100),
  CONSTRAINT services_text_size CHECK (text_size in ('small', 'medium', 'large')),
  CONSTRAINT services_text_color CHECK (text_color ~ '^#[0-9A-Fa-f]{6}$'),
  CONSTRAINT services_text_style CHECK (text_style in ('normal', 'bold', 'italic', 'bold italic')),
  CONSTRAINT services_parent FOREIGN KEY (parent_id, parent_level) REFERENCES services (id, level)
);
CREATE INDEX services_parent_order ON services (parent_id, sort_order, id);

CREATE TABLE commission_ranges (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  service_id integer NOT NULL CONSTRAINT commission_ranges_service_id_services_id_fk
    REFERENCES services (id) ON DELETE CASCADE,
  min_price integer NOT NULL,
  max_price integer,
  commission_value text NOT NULL,
  commission_type text NOT NULL DEFAULT 'fixed',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT commission_ranges_bounds CHECK (min_price >= 0 and (max_price is null or max_price >= min_price)),
  CONSTRAINT commission_ranges_value CHECK (commission_value ~ '^[0-9]{1,9}(\.[0-9]{1,2})?$'),
  CONSTRAINT commission_ranges_percentage CHECK (commission_type <> 'percentage' or commission_value::numeric <= 100),
  CONSTRAINT commission_ranges_type CHECK (commission_type in ('fixed', 'percentage')),
  -- Ranges of one service never share an amount. Range types index without an extension, so the service's id is the high half
  -- of the bounds: an amount fits in 32 bits.
  CONSTRAINT commission_ranges_no_overlap EXCLUDE USING gist (
    int8range(
      service_id::bigint * 4294967296 + min_price,
      service_id::bigint * 4294967296 + coalesce(max_price, 2147483647),
      '[]'
    ) WITH &&
  )
);
CREATE INDEX commission_ranges_service ON commission_ranges (service_id);

-- Tickets

CREATE TABLE ticket_paths (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  folded text NOT NULL,
  CONSTRAINT ticket_paths_folded_unique UNIQUE (folded)
);

CREATE TABLE tickets (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer CONSTRAINT tickets_user_id_users_id_fk
    REFERENCES users (id) ON DELETE SET NULL,
  service_id integer CONSTRAINT tickets_service_id_services_id_fk
    REFERENCES services (id) ON DELETE SET NULL,
  status text NOT NULL DEFAULT 'pending',
  number_of_beneficiaries integer NOT NULL DEFAULT 1,
  payment_type_id integer CONSTRAINT tickets_payment_type_id_payment_types_id_fk
    REFERENCES payment_types (id) ON DELETE SET NULL,
  payment_type_name text NOT NULL,
  amount integer NOT NULL,
  commission integer NOT NULL,
  total_price text NOT NULL,
  service_path jsonb NOT NULL,
  beneficiary_phone_number text NOT NULL,
  dial_code text,
  reject_reason text,
  payment_reference text,
  earlier_references text[] NOT NULL DEFAULT '{}',
  payment_declared_at timestamptz,
  idempotency_key text,
  fingerprint text NOT NULL,
  path_id integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tickets_status_known CHECK (status in ('pending', 'approved', 'rejected')),
  CONSTRAINT tickets_money CHECK (amount >= 0 and commission >= 0),
  CONSTRAINT tickets_total CHECK (total_price = (amount + commission)::text),
  CONSTRAINT tickets_beneficiaries CHECK (number_of_beneficiaries >= 1),
  CONSTRAINT tickets_payment_reference_form CHECK (
    payment_reference is null
    or (payment_reference ~ '^[A-Z0-9./-]{1,40}$' and payment_declared_at is not null)
  ),
  CONSTRAINT tickets_path CHECK (jsonb_typeof(service_path) = 'array' and jsonb_array_length(service_path) between 1 and 5)
);
CREATE UNIQUE INDEX tickets_key_once ON tickets (user_id, idempotency_key) WHERE idempotency_key is not null;
CREATE INDEX tickets_user ON tickets (user_id, id);
CREATE INDEX tickets_filed ON tickets (created_at, id);
CREATE INDEX tickets_status_filed ON tickets (status, created_at, id);
CREATE INDEX tickets_path_filed ON tickets (path_id, created_at, id);
CREATE INDEX tickets_status_path_filed ON tickets (status, path_id, created_at, id);
CREATE INDEX tickets_plain_reference ON tickets (translate(payment_reference, './-', '')) WHERE payment_reference is not null;
CREATE INDEX tickets_service ON tickets (service_id);
CREATE INDEX tickets_payment_type ON tickets (payment_type_id);

-- The tickets' slice comes after that of the notifications.
ALTER TABLE notifications ADD CONSTRAINT notifications_related_ticket
  FOREIGN KEY (related_ticket_id) REFERENCES tickets (id) ON DELETE SET NULL;

CREATE FUNCTION fold_path(path jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(fold_text(step ->> 'name'), E'\n' ORDER BY place), '')
  FROM jsonb_array_elements(CASE WHEN jsonb_typeof(path) = 'array' THEN path ELSE '[]' END) WITH ORDINALITY AS s(step, place)
$$;

CREATE FUNCTION set_ticket_path() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  names text := fold_path(NEW.service_path);
BEGIN
  SELECT id INTO NEW.path_id FROM ticket_paths WHERE folded = names;
  IF NOT FOUND THEN
    INSERT INTO ticket_paths (folded) VALUES (names) ON CONFLICT (folded) DO NOTHING;
    SELECT id INTO NEW.path_id FROM ticket_paths WHERE folded = names;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER tickets_set_path BEFORE INSERT OR UPDATE OF service_path ON tickets
  FOR EACH ROW EXECUTE FUNCTION set_ticket_path();

CREATE TABLE ticket_events (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ticket_id integer NOT NULL CONSTRAINT ticket_events_ticket_id_tickets_id_fk
    REFERENCES tickets (id) ON DELETE CASCADE,
  status text NOT NULL,
  reason text,
  actor_id integer CONSTRAINT ticket_events_actor_id_users_id_fk
    REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ticket_events_status CHECK (status in ('pending', 'approved', 'rejected'))
);
CREATE INDEX ticket_events_ticket ON ticket_events (ticket_id, id);
CREATE INDEX ticket_events_actor ON ticket_events (actor_id);
