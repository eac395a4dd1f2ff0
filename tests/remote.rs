//! Administration of a remote database: the SQL text of registrations, access lists and the emergency stop has the same
//! effect as the command line has on a file, for all values, and may be run twice.

use auth_store::{Holder, listed_patients};
use database::Statement;
use native::{
    AccessListChange, Failure, Registrations, Switch, access_statements, register, registration_statements, run,
    sql_text, tables,
};
use oauth::Pepper;
use rusqlite::Connection;
use serde_json::{Value, json};

/// Texts that end a literal, a statement or a file if they are misread.
const ODD: [&str; 12] = [
    "it's",
    "''; DROP TABLE users; --",
    "a'); DELETE FROM access; --",
    "back\\slash\\' OR 1=1",
    "two\nlines\r\nand;three",
    "a NUL\0 inside",
    "\0",
    "?1 and ?2",
    "BEGIN TRANSACTION; COMMIT;",
    "/* a comment */ -- and another",
    "Søren 李 🩺 \u{2028}\u{202e}",
    "\"double\" `back` [bracket]",
];

fn empty() -> Connection {
    tables(Connection::open_in_memory().unwrap()).unwrap()
}

#[allow(clippy::unnecessary_wraps, reason = "the form that registrations take")]
fn pepper() -> Result<Pepper, Failure> {
    Ok(Pepper::new(b"a pepper"))
}

fn users(users: &Value) -> Registrations {
    Registrations { clients: Vec::new(), users: serde_json::from_value(users.clone()).unwrap() }
}

fn clients(clients: &Value) -> Registrations {
    Registrations { clients: serde_json::from_value(clients.clone()).unwrap(), users: Vec::new() }
}

fn app(id: &str, name: &str, secret: &str) -> Value {
    json!({"client_id": id, "name": name, "kind": "confidential", "secret": secret, "scopes": "openid patient/*.read",
           "redirect_uris": ["https://app.example/?a=1&b='2';"]})
}

fn changes(changes: &Value) -> Vec<AccessListChange> {
    serde_json::from_value(changes.clone()).unwrap()
}

/// Returns everything in the tables of registrations and authorizations, as text.
fn rows(connection: &Connection) -> Vec<String> {
    let mut all = Vec::new();
    for (table, columns) in [
        ("clients", "id || registration"),
        ("users", "json_array(name, password, fhir_user, disabled, sandbox, typeof(disabled), typeof(sandbox))"),
        ("access", "json_array(user, patient)"),
        ("grants", "json_array(id, revoked_at IS NOT NULL)"),
        ("sessions", "id"),
    ] {
        let mut statement = connection.prepare(&format!("SELECT {columns} FROM {table} ORDER BY 1")).unwrap();
        let rows = statement.query_map([], |row| Ok(format!("{table} {}", row.get::<_, String>(0)?))).unwrap();
        all.extend(rows.map(Result::unwrap));
    }
    all
}

/// Inserts authorizations and sessions of `name`, as a client and as a user, for the patients a and b.
fn authorize(connection: &Connection, name: &str) {
    for (id, client, subject, patient) in [
        ("of the client", name, None, None),
        ("a", "an app", Some(name), Some("a")),
        ("b", "an app", Some(name), Some("b")),
    ] {
        let text = "INSERT OR REPLACE INTO grants (id, client, subject, patient, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, 0, 9)";
        connection.execute(text, rusqlite::params![id, client, subject, patient]).unwrap();
    }
    let text = "INSERT OR REPLACE INTO sessions (id, user, since, expires_at) VALUES ('s', ?1, 0, 9)";
    connection.execute(text, [name]).unwrap();
}

/// Returns the ids of the grants that were not revoked, and the number of sessions.
fn left(connection: &Connection) -> (String, i64) {
    let text =
        "SELECT coalesce(group_concat(id, ', '), '') FROM (SELECT id FROM grants WHERE revoked_at IS NULL ORDER BY id)";
    let grants = connection.query_row(text, [], |row| row.get(0)).unwrap();
    (grants, connection.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap())
}

fn send(connection: &Connection, statements: &[Statement]) -> rusqlite::Result<()> {
    connection.execute_batch(&format!("BEGIN; {} COMMIT", sql_text(statements).unwrap())).inspect_err(|_| {
        connection.execute_batch("ROLLBACK").unwrap();
    })
}

fn registration(registrations: Registrations) -> Vec<Statement> {
    registration_statements(registrations, &pepper).unwrap()
}

#[test]
fn the_sql_text_stores_what_the_command_line_stores_whatever_the_names_are() {
    for name in ODD {
        let (mut local, remote) = (empty(), empty());
        let one_line = name.replace(|c: char| c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c), " ");
        let people = json!([{"username": name, "password": "a long password", "fhirUser": name, "patients": ["a", "b"]},
                            {"username": "other", "patients": "all"}]);
        let apps = json!([app("app", &one_line, "a-long-secret")]);
        for registrations in [users(&people), clients(&apps)] {
            let again = if registrations.users.is_empty() { clients(&apps) } else { users(&people) };
            register(&mut local, registrations, &pepper).unwrap();
            send(&remote, &registration(again)).unwrap();
        }
        let stored = rows(&local);
        assert_eq!(stored, rows(&remote), "{name:?}");
        assert_eq!(stored.len(), 6, "{name:?}");
        let found: String =
            remote.query_row("SELECT name FROM users WHERE name <> 'other'", [], |row| row.get(0)).unwrap();
        assert_eq!(found, name);

        for connection in [&local, &remote] {
            authorize(connection, name);
        }
        let change = || changes(&json!([{"username": name, "remove": ["a"], "add": ["d"]}]));
        run(&mut local, &access_statements(change()).unwrap()).unwrap();
        send(&remote, &access_statements(change()).unwrap()).unwrap();
        assert_eq!(rows(&local), rows(&remote), "{name:?}");
        assert_eq!(left(&remote).0, "b, of the client", "{name:?}");
    }
}

#[test]
fn what_is_sent_twice_changes_nothing_and_another_secret_or_password_ends_what_there_was() {
    let connection = empty();
    let user =
        |password: &str| registration(users(&json!([{"username": "x", "password": password, "patients": "all"}])));
    let client = |secret: &str| registration(clients(&json!([app("x", "x", secret)])));
    let both = |password, secret| [user(password), client(secret)].concat();
    let first = both("a long password", "a-long-secret");
    assert_eq!(first, both("a long password", "a-long-secret"), "the same registration is the same text");
    send(&connection, &first).unwrap();
    authorize(&connection, "x");
    let before = rows(&connection);
    send(&connection, &first).unwrap();
    assert_eq!(rows(&connection), before);
    send(&connection, &user("another password")).unwrap();
    assert_eq!(left(&connection), ("of the client".to_owned(), 0));
    authorize(&connection, "x");
    send(&connection, &client("another-secret")).unwrap();
    assert_eq!(left(&connection), ("a, b".to_owned(), 1));
    authorize(&connection, "x");
    let gone = json!([{"username": "x", "password": "another password", "patients": "all", "disabled": true}]);
    send(&connection, &registration(users(&gone))).unwrap();
    assert_eq!(left(&connection), ("of the client".to_owned(), 0));
    let of = |name| registration(users(&json!([{"username": name, "password": "a long password", "patients": []}])));
    let salt = |statements: &[Statement]| {
        let binds: Vec<_> = statements.iter().flat_map(|statement| &statement.binds).collect();
        binds.iter().find_map(|bind| bind.strip_prefix("pbkdf2-sha256$100000$")).unwrap().to_owned()
    };
    assert_ne!(salt(&of("x")), salt(&of("y")), "no two users have one salt");
}

#[test]
fn neither_a_secret_nor_a_password_is_in_what_is_sent() {
    let (password, secret) = ("a long password", "a-long-secret");
    let both = [
        registration(users(&json!([{"username": "x", "password": password, "patients": []}]))),
        registration(clients(&json!([app("x", "x", secret)]))),
    ];
    let text = sql_text(&both.concat()).unwrap();
    assert!(!text.contains(password) && !text.contains(secret) && text.contains("pbkdf2-sha256$100000$"), "{text}");
}

#[test]
fn rf15_the_access_of_a_user_is_granted_and_withdrawn() {
    let mut connection = empty();
    send(&connection, &registration(users(&json!([{"username": "x", "patients": ["a"]}])))).unwrap();
    let listed = |connection: &Connection| -> Vec<String> {
        let Statement { text, binds } = listed_patients("x");
        let mut statement = connection.prepare(&text).unwrap();
        statement.query_map([&binds[0]], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let change = |remove: Value, add: Value| {
        access_statements(changes(&json!([{"username": "x", "remove": remove, "add": add}]))).unwrap()
    };
    authorize(&connection, "x");
    for _ in 0..2 {
        send(&connection, &change(json!([]), json!(["b", "c"]))).unwrap();
        assert_eq!((listed(&connection).concat(), left(&connection).0.as_str()), ("abc".into(), "a, b, of the client"));
    }
    for _ in 0..2 {
        send(&connection, &change(json!(["b"]), json!([]))).unwrap();
        assert_eq!((listed(&connection).concat(), left(&connection).0.as_str()), ("ac".into(), "a, of the client"));
    }
    send(&connection, &change(json!([]), json!("all"))).unwrap();
    assert_eq!(listed(&connection), ["*", "a", "c"]);
    // The other statements of the file have no effect either.
    let several = [change(json!([]), json!(["d"])), change(json!(["a"]), json!([]))].concat();
    let fault = send(&connection, &several).unwrap_err().to_string();
    assert!(fault.contains("all patients are listed, and not single ones, for: x"), "{fault}");
    assert_eq!(listed(&connection), ["*", "a", "c"]);
    send(&connection, &change(json!("all"), json!(["c"]))).unwrap();
    assert_eq!((listed(&connection).concat(), left(&connection).0.as_str()), ("c".into(), "of the client"));

    let unknown = access_statements(changes(&json!([{"username": "it's", "add": ["a"]}]))).unwrap();
    let fault = run(&mut connection, &unknown).unwrap_err().to_string();
    assert!(fault.contains("there is no such user: it"), "{fault}");
    let many: Vec<_> = (0..2_500).map(|n| format!("{n}-{}", "x".repeat(59))).collect();
    let registered = registration(users(&json!([{"username": "x", "patients": many}])));
    send(&connection, &registered).unwrap();
    assert_eq!(listed(&connection).len(), many.len());
    send(&connection, &change(json!(many[..2_001]), json!([]))).unwrap();
    assert_eq!(listed(&connection).len(), 499);
}

#[test]
fn what_is_no_id_of_a_patient_is_refused() {
    for wrong in [json!(["*"]), json!([""]), json!(["Patient/a"]), json!(["a' OR 1"]), json!("none")] {
        let registered = registration_statements(users(&json!([{"username": "x", "patients": wrong}])), &pepper);
        assert!(registered.is_err(), "{wrong}");
        for change in [json!({"username": "x", "add": wrong}), json!({"username": "x", "remove": wrong})] {
            assert!(access_statements(changes(&json!([change]))).is_err(), "{change}");
        }
    }
    let both = json!([{"username": "x", "add": ["a", "b"], "remove": ["b"]}]);
    assert!(access_statements(changes(&both)).is_err());
    assert!(serde_json::from_value::<Vec<AccessListChange>>(json!([{"username": "x", "removed": ["b"]}])).is_err());
    let twice = json!([{"username": "x", "patients": []}, {"username": "x", "patients": "all"}]);
    assert!(registration_statements(users(&twice), &pepper).is_err());
}

#[test]
fn the_emergency_stop_as_text_does_what_it_does_to_a_file() {
    for name in ODD {
        let (mut local, remote) = (empty(), empty());
        for connection in [&local, &remote] {
            let text = r#"INSERT INTO clients VALUES (?1, '{"kind": "public", "scopes": "openid"}')"#;
            connection.execute(text, [name]).unwrap();
            connection.execute("INSERT INTO users (name) VALUES (?1)", [name]).unwrap();
            authorize(connection, name);
        }
        for (holder, enable) in [(Holder::Client, false), (Holder::User, false), (Holder::User, true)] {
            let switch = Switch { holder, name: name.to_owned(), enable };
            switch.run(&mut local).unwrap();
            remote.execute_batch(&switch.sql().unwrap()).unwrap();
            assert_eq!(rows(&local), rows(&remote), "{name:?}");
        }
        assert_eq!(left(&remote), (String::new(), 0), "{name:?}");
    }
}
