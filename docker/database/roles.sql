-- A database and two roles for each deployment. The image runs this once, as the superuser, while its data folder is empty; where there is one already,
-- run it by hand (docs/operations.md, Database roles). A password that the environment lacks ends it with a syntax error.
--
-- The owner migrates (DATABASE_MIGRATION_URL); the server connects as a role that owns nothing (DATABASE_URL). `vaultline migrate` makes the schemas and gives
-- the server what it needs in them.
\set ON_ERROR_STOP on
\getenv partner_migration PARTNER_MIGRATION_PASSWORD
\getenv partner_database PARTNER_DATABASE_PASSWORD
\getenv sandbox_migration SANDBOX_MIGRATION_PASSWORD
\getenv sandbox_database SANDBOX_DATABASE_PASSWORD

-- The limit of a server's role covers a process that answers requests (10 connections) and two that run jobs (14 each), which makes 38, and up to 3 more
-- while one starts; raise it for more. Limits add up to 110, so that neither deployment can take what the other needs: the compose file gives
-- PostgreSQL max_connections=120. Where the script is run by hand, PostgreSQL needs as many; its default is 100.
CREATE ROLE live_owner LOGIN PASSWORD :'partner_migration' CONNECTION LIMIT 5;
CREATE ROLE live_server LOGIN PASSWORD :'partner_database' CONNECTION LIMIT 50;
CREATE ROLE sandbox_owner LOGIN PASSWORD :'sandbox_migration' CONNECTION LIMIT 5;
CREATE ROLE sandbox_server LOGIN PASSWORD :'sandbox_database' CONNECTION LIMIT 50;

-- Disk for sorts that do not fit in memory; a session cannot raise it.
ALTER ROLE live_server SET temp_file_limit = '1GB';
ALTER ROLE sandbox_server SET temp_file_limit = '1GB';

-- Apart, the two share no schema, no advisory lock and no notification.
CREATE DATABASE vaultline_live OWNER live_owner;
CREATE DATABASE vaultline_sandbox OWNER sandbox_owner;
REVOKE ALL ON DATABASE vaultline_live, vaultline_sandbox, vaultline, postgres, template1 FROM PUBLIC;
GRANT CONNECT ON DATABASE vaultline_live TO live_server;
GRANT CONNECT ON DATABASE vaultline_sandbox TO sandbox_server;
