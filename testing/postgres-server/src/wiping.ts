/**
 * Statements after which `select initial.wipe()` makes a database what it was when they ran. Much quicker than a new one, and than
 * truncating: a test fills few tables with few rows.
 */
export const KEEP_INITIAL = `
drop schema if exists initial cascade;
create schema initial;
do $keep$
declare
  found record;
  body text := '';
  kept boolean;
begin
  for found in select tablename as name from pg_tables where schemaname = 'public' loop
    body := body || format('delete from public.%I;', found.name);
    execute format('create table initial.%I as table public.%I', found.name, found.name);
    execute format('select exists (select from initial.%I)', found.name) into kept;
    if kept then
      body := body || format('insert into public.%I select * from initial.%I;', found.name, found.name);
    end if;
  end loop;
  for found in select sequencename as name from pg_sequences where schemaname = 'public' loop
    body := body || format('perform setval(%L, 1, false);', 'public.' || found.name);
  end loop;
  -- As a replica, so that no order among tables that refer to each other has to be kept; as the superuser, who alone may be one.
  execute 'create function initial.wipe() returns void language plpgsql security definer set session_replication_role = replica as '
    || quote_literal('begin ' || body || ' end');
end
$keep$`
