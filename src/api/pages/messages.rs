//! The texts of the pages, each in every language: one table. A text with placeholders is filled with values, which are
//! escaped unless they are markup.

use maud::{Markup, PreEscaped, Render, html};

use crate::call::Call;
use crate::negotiate;
use fhir::Language;
use oauth::{RequestFault, SignInFailure};

/// The texts of one page: the table, in the language of the page.
#[derive(Debug, Clone, Copy)]
pub struct Messages {
    /// The language.
    pub language: Language,
    /// True if the request, or the app whose request it belongs to, asks for the language (`ui_locales`). Otherwise
    /// `Accept-Language` decides.
    pub is_requested: bool,
}

/// Writes a method for each text: `name = English, Spanish;`. A text with placeholders, `name(placeholder) = …`, takes
/// a value for each placeholder, which stands as `{placeholder}` in it.
macro_rules! messages {
    ($($name:ident $(($($placeholder:ident),+))? = $english:literal, $spanish:literal;)+) => {
        impl Messages {
            $(messages!(@method $name $(($($placeholder),+))? $english, $spanish);)+
        }

        /// The names of the texts, their placeholders, and the texts.
        #[cfg(test)]
        pub const TABLE: &[(&str, &[&str], [&str; 2])] =
            &[$((stringify!($name), &[$($(stringify!($placeholder)),+)?], [$english, $spanish])),+];
    };
    (@method $name:ident $english:literal, $spanish:literal) => {
        #[doc = $english]
        pub const fn $name(self) -> &'static str {
            self.language.of([$english, $spanish])
        }
    };
    (@method $name:ident ($($placeholder:ident),+) $english:literal, $spanish:literal) => {
        #[doc = $english]
        pub fn $name(self, $($placeholder: &dyn Render),+) -> Markup {
            fill(self.language.of([$english, $spanish]), &[$((stringify!($placeholder), $placeholder)),+])
        }
    };
}

messages! {
    // Words of several pages.
    sign_in = "Sign in", "Iniciar sesión";
    sign_out = "Sign out", "Cerrar sesión";
    signed_in_as(user) = "You are signed in as {user}.", "Ha iniciado sesión como {user}.";
    born(date) = "born {date}", "fecha de nacimiento: {date}";

    // The sign-in.
    to_ask(app) = "To let {app} ask for health records.", "Para que {app} pueda pedir registros médicos.";
    to_manage = "To see what apps may do, and to withdraw it.",
        "Para ver qué pueden hacer las aplicaciones y retirarles el acceso.";
    name = "Name", "Nombre de usuario";
    password = "Password", "Contraseña";
    sign_in_with_passkey = "Sign in with a passkey", "Iniciar sesión con una llave de acceso";
    sign_in_with(provider) = "Sign in with {provider}", "Iniciar sesión con {provider}";
    sign_in_as(user) = "Sign in as {user}", "Iniciar sesión como {user}";
    wrong_password = "Name and password do not belong together. Please try again.",
        "El nombre de usuario y la contraseña no coinciden. Inténtelo de nuevo.";
    unregistered = "Your account at the identity provider is not registered here. Please ask whoever runs this server.",
        "Su cuenta en el proveedor de identidad no está registrada aquí. Consulte a quien administra este servidor.";
    provider_refused = "The identity provider did not sign you in. You can try again.",
        "El proveedor de identidad no inició su sesión. Puede intentarlo de nuevo.";
    invalid_passkey = "This passkey did not work. Please try again, or sign in another way.",
        "Esta llave de acceso no funcionó. Inténtelo de nuevo o inicie sesión de otra manera.";
    somebody_else = "The app was opened for somebody else. Please sign in as that person.",
        "La aplicación se abrió para otra persona. Inicie sesión como esa persona.";
    sandbox = "This is a sandbox, and nobody in it is real.",
        "Este es un entorno de prueba: ninguna de estas personas es real.";
    other_users = "Other test users", "Otros usuarios de prueba";
    with_password(user, password) = "{user}, password {password}", "{user}, contraseña {password}";

    // The patient selection.
    choose_patient = "Choose a patient", "Elija un paciente";
    one_patient(app) = "{app} works with one patient at a time.", "{app} trabaja con un paciente a la vez.";
    find_patient = "Find a patient by name", "Buscar un paciente por nombre";
    find = "Find", "Buscar";
    no_patient = "No patient was found.", "No se encontró ningún paciente.";
    unread_patients = "The records of some patients cannot be read. They are not listed.",
        "Los registros médicos de algunos pacientes no se pueden leer. No aparecen en la lista.";
    patients = "Patients", "Pacientes";
    go_on = "Continue", "Continuar";
    more_patients = "There are more than these. Find others by name.",
        "Hay más pacientes. Busque a los demás por nombre.";

    // The encounter selection.
    choose_encounter = "Choose a visit", "Elija una consulta";
    one_encounter(app, patient) = "{app} works with one visit of {patient}.",
        "{app} trabaja con una consulta de {patient}.";
    encounters = "Visits", "Consultas";
    some_visit = "Visit", "Consulta";
    no_encounter = "None of these", "Ninguna de estas";

    // The consent.
    allow_app(app) = "Allow {app}?", "¿Permitir el acceso de {app}?";
    allow_an_app = "Allow an app", "Permitir el acceso de una aplicación";
    would_see_who(app) = "{app} would like to see who you are.", "{app} quiere saber quién es usted.";
    would_see_records(app, whose) = "{app} would like to see the records of {whose}.",
        "{app} quiere ver los registros médicos de {whose}.";
    every_patient = "every patient whom you may see", "todos los pacientes que usted puede ver";
    first_of(every, patient) = "{every}, first of {patient}", "{every}, empezando por {patient}";
    patient_born(name, date) = "{name}, born {date}", "{name} (fecha de nacimiento: {date})";
    another_patient = "Another patient", "Otro paciente";
    about_visit(visit) = "It is about this visit: {visit}.", "Se trata de esta consulta: {visit}.";
    about_no_visit = "It is about no visit.", "No se trata de ninguna consulta.";
    another_encounter = "Another visit", "Otra consulta";
    only_parts = "Or allow only these parts of it:", "O permita solo estas partes:";
    closes_too(scopes) = "Without this, {scopes} does not open it either.", "Sin esto, {scopes} tampoco lo permite.";
    omit = "Leave out all of this", "Excluir todo esto";
    left_out = "left out", "excluido";
    only_reads = "It can only read. It cannot change anything.", "Solo puede leer. No puede cambiar nada.";
    not_you = "Not you?", "¿No es usted?";
    open_a_group = "Open a group to leave something out.", "Abra un grupo para excluir algo.";
    told_elsewhere = "What you leave out may still be named in other records, such as notes, reports or dispensed medicines.",
        "Lo que excluya puede nombrarse también en otros registros, como notas, informes o medicamentos surtidos.";
    allow = "Allow", "Permitir";
    deny = "Deny", "Denegar";
    goes_back(address) = "Whatever you decide, you go back to {address}.", "Decida lo que decida, volverá a {address}.";
    withdraw_under(page) = "You can withdraw it under {page}.", "Puede retirar el acceso en «{page}».";
    what_apps_may = "what apps may do", "Qué pueden hacer las aplicaciones";
    not_all = "not all of it", "no todo";
    identity = "Identity and personal details", "Identidad y datos personales";
    everything = "All kinds of records", "Todos los tipos de registros";
    problems = "Conditions and allergies", "Problemas de salud y alergias";
    medications = "Medications and vaccinations", "Medicamentos y vacunas";
    results = "Results and vital signs", "Resultados y signos vitales";
    care = "Care team and visits", "Equipo de atención y visitas";
    documents = "Documents", "Documentos";
    insurance = "Insurance and bills", "Seguro médico y facturas";
    catalogues = "Catalogues and definitions", "Catálogos y definiciones";
    session = "Stay connected", "Mantener la conexión";

    // Scopes.
    offline = "Keep access when you are away", "Mantener el acceso cuando usted no está";
    offline_note = "It can read the records at any time, until you withdraw it.",
        "Puede leer los registros en cualquier momento, hasta que usted le retire el acceso.";
    offline_days(days) = "It ends if the app is not used for {days} days.",
        "Termina si la aplicación no se usa durante {days} días.";
    offline_without = "Without this, its access ends within an hour.", "Sin esto, su acceso termina en menos de una hora.";
    online = "Keep access while you are signed in", "Mantener el acceso mientras tenga la sesión iniciada";
    online_note = "It can read the records until you sign out.",
        "Puede leer los registros hasta que usted cierre la sesión.";
    own_name = "the name that you sign in with", "el nombre con el que usted inicia sesión";
    own_record = "which entry of the records is you, and what it says", "qué entrada de los registros es usted, y qué dice";
    which_record = "which entry of the records is you", "qué entrada de los registros es usted";
    all_of_these = "all of these", "todos estos";
    only_those = "Only those whose", "Solo si";
    reads_only = "This server only reads: nothing is ever changed.", "Este servidor solo lee: nunca se cambia nada.";
    one_by_one = "One by one, without searching.", "Uno por uno, sin buscar.";
    only_searched = "Only found by searching.", "Solo mediante búsquedas.";

    // The access of apps.
    what_apps_may_do = "What apps may do", "Qué pueden hacer las aplicaciones";
    withdrawn = "Withdrawn. The app has no access any more. You are still signed in here.",
        "Acceso retirado. La aplicación ya no tiene acceso. Su sesión sigue iniciada aquí.";
    go_to_app = "Go to edgechart", "Ir a edgechart";
    no_app = "No app has access to health records in your name.",
        "Ninguna aplicación tiene acceso a registros médicos en su nombre.";
    access_of(since, until) = "Since {since}, until {until} at most.",
        "Desde el {since}, hasta el {until} como máximo.";
    used_access_of(since, used, until) = "Since {since}, last used {used}, until {until} at most.",
        "Desde el {since}, usado por última vez el {used}, hasta el {until} como máximo.";
    of_patient(patient) = "Of the patient {patient}.", "Del paciente {patient}.";
    of_patients(patients) = "Of the patients {patients}.", "De los pacientes {patients}.";
    and_more(patients, count) = "{patients} and {count} more", "{patients} y {count} más";
    of_all_others = "Also of every other patient whom you may see.",
        "También de todos los demás pacientes que usted puede ver.";
    withdraw = "Withdraw", "Retirar";
    withdraw_of(app) = "Withdraw the access of {app}", "Retirar el acceso de {app}";

    // Passkeys.
    passkeys = "Passkeys", "Llaves de acceso";
    passkey_added = "The passkey was added.", "Se agregó la llave de acceso.";
    passkey_removed = "The passkey was removed.", "Se eliminó la llave de acceso.";
    passkeys_failed = "The passkeys were not changed. Please try again.",
        "Las llaves de acceso no se cambiaron. Inténtelo de nuevo.";
    no_passkey = "You have no passkey.", "No tiene ninguna llave de acceso.";
    passkey(name, since) = "{name}, since {since}.", "{name}, desde el {since}.";
    used_passkey(name, since, used) = "{name}, since {since}, last used {used}.",
        "{name}, desde el {since}, usada por última vez el {used}.";
    cloned_passkey = "It does not work any more, since it may have been copied.",
        "Ya no funciona, porque es posible que la hayan copiado.";
    remove = "Remove", "Eliminar";
    remove_passkey(name) = "Remove the passkey {name}", "Eliminar la llave de acceso {name}";
    sign_in_again = "Sign in again", "Inicie sesión de nuevo";
    to_change_passkeys(again) = "{again} to add or remove a passkey.",
        "{again} para agregar o eliminar una llave de acceso.";
    name_of_passkey = "Name of the new passkey", "Nombre de la nueva llave de acceso";
    add_passkey = "Add a passkey", "Agregar una llave de acceso";
    passkey_unused = "The passkey was not used. You can try again.",
        "No se usó la llave de acceso. Puede intentarlo de nuevo.";

    // The sign-out.
    really_sign_out = "Sign out?", "¿Cerrar sesión?";
    asks_to_sign_out(app) = "{app} asks to sign you out.", "{app} pide cerrar su sesión.";
    apps_stop = "Apps that may work while you are signed in stop working too.",
        "Las aplicaciones que solo pueden trabajar mientras tenga la sesión iniciada también dejarán de funcionar.";
    to_stay = "To stay signed in, close this page.", "Para mantener la sesión iniciada, cierre esta página.";
    signed_out = "Signed out", "Sesión cerrada";
    you_are_signed_out = "You are signed out", "Ha cerrado la sesión";
    close_page = "You can close this page.", "Puede cerrar esta página.";

    // The launch of the sandbox.
    launch_an_app = "Launch an app", "Abrir una aplicación";
    stands_for_ehr = "This stands for an EHR: somebody works in it, a chart is open, and an app is opened from there.",
        "Esto representa un sistema de expedientes médicos (EHR): alguien trabaja en él, tiene un expediente abierto y \
        desde ahí abre una aplicación.";
    works_in_ehr(user) = "{user} works in the EHR", "{user} trabaja en el EHR";
    password_is(password) = "The password is {password}.", "La contraseña es {password}.";
    whose_chart = "Whose chart is open", "De quién es el expediente abierto";
    nobody_s = "nobody's", "de nadie";
    app = "App", "Aplicación";
    visit_is_open = "The latest visit is open too", "También está abierta la última consulta";
    ehr_has_banner = "The EHR shows whose chart it is", "El EHR muestra de quién es el expediente";
    what_to_do = "What the app is to do (intent)", "Qué debe hacer la aplicación (intent)";
    launch = "Launch", "Abrir";
    no_such_launch = "No such launch", "No se puede abrir la aplicación";

    // Refusals.
    leads_nowhere = "This request leads nowhere", "Esta solicitud no lleva a ninguna parte";
    has_ended = "This request has ended", "Esta solicitud ha terminado";
    ended_why = "It was answered already, or it waited for more than ten minutes. Nothing was changed just now.",
        "Ya se respondió, o esperó más de diez minutos. Ahora no se cambió nada.";
    ended_next = "If you allowed the app, go back to it and go on. To decide anew, begin again there.",
        "Si permitió el acceso, vuelva a la aplicación y continúe. Para decidir de nuevo, comience allí otra vez.";
    not_valid_here = "This form is not valid here", "Este formulario no es válido aquí";
    begin_again = "Please go back to the app and begin again there.",
        "Vuelva a la aplicación y comience allí de nuevo.";
    please_wait = "Please wait", "Espere un momento";
    wrong_passwords = "There were too many wrong passwords. Please wait a little, then try again.",
        "Hubo demasiadas contraseñas incorrectas. Espere un poco e inténtelo de nuevo.";
    busy_network = "Too much comes from your network at once. Please try again in a minute.",
        "Llegan demasiadas solicitudes a la vez desde su red. Inténtelo de nuevo en un minuto.";
    did_not_work = "This did not work", "Esto no funcionó";
    provider_failed = "The identity provider could not sign you in here. Nothing was changed.",
        "El proveedor de identidad no pudo iniciar su sesión aquí. No se cambió nada.";
    try_again = "Try again", "Intentar de nuevo";
    something_failed = "Something did not work", "Algo no funcionó";
    nothing_changed = "Nothing was changed. Please try again in a moment.",
        "No se cambió nada. Inténtelo de nuevo en un momento.";
    in_a_moment = "Please try again in a moment.", "Inténtelo de nuevo en un momento.";
    two_clients = "The request names its app twice (client_id).",
        "La solicitud nombra dos veces su aplicación (client_id).";
    no_client = "The request does not say which app it is from (client_id).",
        "La solicitud no dice de qué aplicación es (client_id).";
    unknown_client = "The app that sent you is not registered here (client_id).",
        "La aplicación que lo envió no está registrada aquí (client_id).";
    two_redirects = "The request names two addresses to come back to (redirect_uri).",
        "La solicitud nombra dos direcciones de regreso (redirect_uri).";
    no_redirect = "The request does not say where to come back to (redirect_uri).",
        "La solicitud no dice a qué dirección regresar (redirect_uri).";
    unknown_redirect = "The address to come back to is not one that the app registered (redirect_uri).",
        "La dirección de regreso no es una de las que registró la aplicación (redirect_uri).";
    too_long = "The request is too long.", "La solicitud es demasiado larga.";
    malformed = "The request is not well formed.", "La solicitud no está bien formada.";
    no_form = "The body of the request is not a form.", "El cuerpo de la solicitud no es un formulario.";
    unknown_provider = "There is no such identity provider.", "Ese proveedor de identidad no existe aquí.";
    doubled_answer = "The answer of the identity provider has a parameter twice.",
        "La respuesta del proveedor de identidad tiene un parámetro repetido.";
    other_provider = "The answer is not of the identity provider that was asked.",
        "La respuesta no es del proveedor de identidad al que se preguntó.";
    no_provider_code = "The answer of the identity provider has no code.",
        "La respuesta del proveedor de identidad no tiene código.";
    other_encounter = "That visit is not one of this patient.", "Esa consulta no es de este paciente.";
    other_patient = "That patient is not one of yours.", "Ese paciente no es uno de los suyos.";
    no_passkeys = "Passkeys are not offered here.", "Aquí no se ofrecen llaves de acceso.";
    doubled_sign_out = "The request has a parameter twice, or one that is too long.",
        "La solicitud tiene un parámetro repetido o demasiado largo.";
    other_token = "The identity token is another app's (id_token_hint, client_id).",
        "El token de identidad es de otra aplicación (id_token_hint, client_id).";
    unknown_return =
        "The address to go to afterwards is not one that the app registered (post_logout_redirect_uri).",
        "La dirección a la que ir después no es una de las que registró la aplicación (post_logout_redirect_uri).";
}

/// The months, by language: in English as the app writes them.
const MONTHS: [[&str; 12]; 2] = [
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
];

impl Messages {
    /// The texts for an answer. `asked` is the language that an app asks for; without it, `Accept-Language` decides.
    pub fn new(requested: Option<Language>, call: &Call<'_>) -> Self {
        let language = requested.or_else(|| negotiate::language(&call.header("Accept-Language")?)).unwrap_or_default();
        Self { language, is_requested: requested.is_some() }
    }

    /// A FHIR date, with the precision that it has: `14 May 2019`, `May 2019`, `2019`. Another text stays as it is.
    pub fn date(self, date: &str) -> String {
        let mut parts = date.split('-');
        let (year, month, day) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
        let [english, spanish] = MONTHS;
        let months = match self.language {
            Language::English => english,
            Language::Spanish => spanish,
        };
        let month = month.map(|month| month.parse().ok().and_then(|month: usize| months.get(month.wrapping_sub(1))));
        let day = day.map(|day| day.parse().ok().filter(|day: &u8| (1..=31).contains(day)));
        let de = self.language.of([" ", " de "]);
        match (month, day) {
            (Some(Some(month)), Some(Some(day))) if parts.next().is_none() => format!("{day}{de}{month}{de}{year}"),
            (Some(Some(month)), None) => format!("{month}{de}{year}"),
            _ => date.to_owned(),
        }
    }

    /// The day of a time in seconds since 1970.
    pub fn day(self, seconds: i64) -> String {
        self.date(&chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default().date_naive().to_string())
    }

    /// The date of birth, for programs too.
    pub fn birth(self, date: &str) -> Markup {
        html! { time datetime=(date) { (self.date(date)) } }
    }

    /// The sentence about a failed sign-in.
    pub const fn failure(self, failure: SignInFailure) -> &'static str {
        match failure {
            SignInFailure::Wrong => self.wrong_password(),
            SignInFailure::Unregistered => self.unregistered(),
            SignInFailure::ProviderRefused => self.provider_refused(),
            SignInFailure::Passkey => self.invalid_passkey(),
            SignInFailure::SomebodyElse => self.somebody_else(),
        }
    }

    /// The sentence about a fault of a request.
    pub const fn fault(self, fault: RequestFault) -> &'static str {
        match fault {
            RequestFault::TwoClients => self.two_clients(),
            RequestFault::NoClient => self.no_client(),
            RequestFault::UnknownClient => self.unknown_client(),
            RequestFault::TwoRedirects => self.two_redirects(),
            RequestFault::NoRedirect => self.no_redirect(),
            RequestFault::UnknownRedirect => self.unknown_redirect(),
            RequestFault::TooLong => self.too_long(),
            RequestFault::Malformed => self.malformed(),
            RequestFault::NoForm => self.no_form(),
            RequestFault::UnknownProvider => self.unknown_provider(),
            RequestFault::DoubledAnswer => self.doubled_answer(),
            RequestFault::OtherProvider => self.other_provider(),
            RequestFault::NoProviderCode => self.no_provider_code(),
            RequestFault::OtherEncounter => self.other_encounter(),
            RequestFault::OtherPatient => self.other_patient(),
            RequestFault::NoPasskeys => self.no_passkeys(),
            RequestFault::DoubledSignOut => self.doubled_sign_out(),
            RequestFault::OtherToken => self.other_token(),
            RequestFault::UnknownReturn => self.unknown_return(),
        }
    }
}

/// Fills the placeholders of a text.
fn fill(text: &str, values: &[(&str, &dyn Render)]) -> Markup {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        before.render_to(&mut filled);
        let (placeholder, after) = after.split_once('}').unwrap_or((after, ""));
        if let Some((_, value)) = values.iter().find(|(name, _)| *name == placeholder) {
            value.render_to(&mut filled);
        }
        rest = after;
    }
    rest.render_to(&mut filled);
    PreEscaped(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: Messages = Messages { language: Language::English, is_requested: false };
    const SPANISH: Messages = Messages { language: Language::Spanish, is_requested: false };

    #[test]
    fn every_text_has_its_placeholders_in_each_language() {
        for (name, placeholders, texts) in TABLE {
            for text in texts {
                let mut found: Vec<_> = text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
                let mut placeholders = placeholders.to_vec();
                found.sort_unstable();
                placeholders.sort_unstable();
                assert_eq!(found, placeholders, "{name}: {text}");
                assert!(!text.is_empty() && text.trim() == *text && !text.contains("  "), "{name}: {text:?}");
            }
            let [english, spanish] = texts;
            assert_ne!(english, spanish, "{name}");
            assert_eq!(english.ends_with('.'), spanish.ends_with('.'), "{name}");
            assert_eq!(english.ends_with('?'), spanish.starts_with('¿') && spanish.ends_with('?'), "{name}");
        }
    }

    #[test]
    fn values_are_escaped_and_markup_is_not() {
        let bold = html! { strong { "a & b" } };
        assert_eq!(SPANISH.to_ask(&bold).0, "Para que <strong>a &amp; b</strong> pueda pedir registros médicos.");
        assert_eq!(SPANISH.allow_app(&"<b>\"{app}").0, "¿Permitir el acceso de &lt;b&gt;&quot;{app}?");
        assert_eq!(ENGLISH.other_token(), "The identity token is another app's (id_token_hint, client_id).");
        assert_eq!(fill("a < b & {x}", &[("x", &1)]).0, "a &lt; b &amp; 1");
    }

    #[test]
    fn dates_are_written_by_language_and_with_their_precision() {
        for (date, english, spanish) in [
            ("2019-05-14", "14 May 2019", "14 de mayo de 2019"),
            ("1990-12-01", "1 Dec 1990", "1 de diciembre de 1990"),
            ("2019-05", "May 2019", "mayo de 2019"),
            ("2019", "2019", "2019"),
        ] {
            assert_eq!((ENGLISH.date(date).as_str(), SPANISH.date(date).as_str()), (english, spanish));
        }
        for odd in ["", "2019-13-01", "2019-00", "2019-05-32", "2019-05-00", "2019-05-14-1", "2019-x", "about 2019"] {
            assert_eq!(SPANISH.date(odd), odd);
        }
        assert_eq!(SPANISH.day(1_800_000_000), "15 de enero de 2027");
        assert_eq!(ENGLISH.birth("<2019").0, "<time datetime=\"&lt;2019\">&lt;2019</time>");
    }
}
