-- What an account counts of strangers stands in two rows, of newcomers and of all others; administrators are told of their sum.
CREATE OR REPLACE FUNCTION "announce_sign_in_attacks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT account, source, failures FROM touched WHERE source IN ('new', 'any')
      UNION
      SELECT account, source, failures FROM sign_in_attempts
      WHERE source IN ('new', 'any') AND account IN (SELECT account FROM touched WHERE source IN ('new', 'any'))
    ) guesses
    GROUP BY account HAVING sum(failures) >= 20
  ) THEN
    INSERT INTO changes (topic) VALUES ('sign-in-attacks');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "announce_sign_in_attacks_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT account, source, max(failures) AS failures FROM (
        SELECT account, source, failures FROM touched WHERE source IN ('new', 'any')
        UNION ALL
        SELECT account, source, failures FROM former WHERE source IN ('new', 'any')
        UNION ALL
        SELECT account, source, failures FROM sign_in_attempts
        WHERE source IN ('new', 'any') AND account IN (SELECT account FROM touched WHERE source IN ('new', 'any'))
      ) each GROUP BY account, source
    ) guesses
    GROUP BY account HAVING sum(failures) >= 20
  ) THEN
    INSERT INTO changes (topic) VALUES ('sign-in-attacks');
  END IF;
  RETURN NULL;
END $$;
