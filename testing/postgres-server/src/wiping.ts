/**
 * Statements after which `select initial.wipe()` makes a database what it was when they ran. Much quicker than a new one, and than
 * truncating: a test fills few tables with few rows.
 */
export const keepInitial = (schema: string): string => `
drop schema if exists initial cascade;
create schema initial;
do $keep$
declare
  found record;
  body text := '';
  kept boolean;
begin
  for found in select schemaname as place, tablename as name from pg_tables where schemaname = '${schema}' loop
    body := body || format('delete from %I.%I;', found.place, found.name);
    execute format('create table initial.%I as table %I.%I', found.name, found.place, found.name);
    execute format('select exists (select from initial.%I)', found.name) into kept;
    if kept then
      body := body || format('insert into %I.%I select * from initial.%I;', found.place, found.name, found.name);
    end if;
  end loop;
  for found in select schemaname as place, sequencename as name from pg_sequences where schemaname = '${schema}' loop
    body := body || format('perform setval(%L, 1, false);', format('%I.%I', found.place, found.name));
  end loop;
  -- As a replica, so that no order among tables that refer to each other has to be kept; as the superuser, who alone may be one.
  execute 'create function initial.wipe() returns void language plpgsql security definer set session_replication_role = replica as '
    || quote_literal('begin ' || body || ' end');
end
$keep$`
