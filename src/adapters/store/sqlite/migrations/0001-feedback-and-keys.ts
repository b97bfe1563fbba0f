export const feedbackAndKeys = `CREATE TABLE feedback (
     id TEXT PRIMARY KEY,
     url TEXT NOT NULL,
     comment TEXT,
     request_id TEXT NOT NULL,
     email TEXT NOT NULL,
     source TEXT NOT NULL,
     received_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX feedback_by_time ON feedback (received_at DESC, id);
   CREATE TABLE api_keys (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     key_hash TEXT NOT NULL UNIQUE,
     scopes TEXT NOT NULL,
     per_second INTEGER NOT NULL,
     per_day INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER
   ) STRICT;`;
