#!/bin/sh
# Runs once, on an empty volume, inside the image's own set-up. The program's role owns its database and
# may replicate, which the notifier needs; it is no superuser. Rows of lookup tables are read and written
# under a role that has rights on them alone. The superuser is left without a password,
# so that it gets in by the socket in this container and from nowhere else.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE tributary LOGIN REPLICATION PASSWORD :'password';
CREATE ROLE tributary_lookup NOLOGIN;
GRANT tributary_lookup TO tributary;
CREATE DATABASE tributary OWNER tributary;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
