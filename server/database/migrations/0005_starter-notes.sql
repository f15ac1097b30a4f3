-- The starter catalogue told its visitors what was meant for the operator: that is a note of its own now. Descriptions that
-- somebody has written since are left alone.
UPDATE "services" SET
  "operator_note" = 'Code à confirmer par l’opérateur avant la mise en service.',
  "description" = trim(replace("description", 'Code à confirmer par l’opérateur avant la mise en service.', ''))
WHERE "description" LIKE '%Code à confirmer par l’opérateur avant la mise en service.%' AND "operator_note" = '';
