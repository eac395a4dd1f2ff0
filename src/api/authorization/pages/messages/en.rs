//! The texts in English. They define the texts that each language must have.

use maud::{Markup, Render};

use super::{Group, Messages, es, fill};
use oauth::{RequestFault, SignInFailure};

messages! {
    // Words of several pages.
    sign_in = "Sign in";
    sign_out = "Sign out";
    signed_in_as(user) = "You are signed in as {user}.";
    born(date) = "born {date}";
    deceased = "deceased";
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    day_of_month(day, month, year) = "{day} {month} {year}";
    month_of_year(month, year) = "{month} {year}";
    // The sign-in.
    to_ask(app) = "To let {app} ask for health records.";
    to_manage = "To see what apps may do, and to withdraw it.";
    name = "Name";
    password = "Password";
    sign_in_with(provider) = "Sign in with {provider}";
    sign_in_as(user) = "Sign in as {user}";
    sandbox = "This is a sandbox, and nobody in it is real.";
    other_users = "Other test users";
    with_password(user, password) = "{user}, password {password}";
    // The patient selection.
    choose_patient = "Choose a patient";
    one_patient(app) = "{app} works with one patient at a time.";
    find_patient = "Find a patient by name";
    find = "Find";
    no_patient = "No patient was found.";
    unread_patients = "The records of some patients cannot be read. They are not listed.";
    patients = "Patients";
    more_patients = "There are more than these. Find others by name.";
    // The encounter selection.
    choose_encounter = "Choose a visit";
    one_encounter(app, patient) = "{app} works with one visit of {patient}.";
    encounters = "Visits";
    some_visit = "Visit";
    no_encounter = "None of these";
    // The consent.
    allow_app(app) = "Allow {app}?";
    allow_an_app = "Allow an app";
    would_see_who(app) = "{app} would like to see who you are.";
    would_see_records(app, whose) = "{app} would like to see the records of {whose}.";
    calls_itself(app, name) = "{app}, which says it is “{name}”,";
    leaves_here = "It works for an assistant. What it reads leaves this server and goes to the company that runs the \
        assistant, under that company's terms. An assistant can be wrong, and text in a record can mislead it.";
    some_program = "It is a program on this computer; we cannot know which.";
    every_patient = "every patient whom you may see";
    first_of(every, patient) = "{every}, first of {patient}";
    patient_born(name, date) = "{name}, born {date}";
    another_patient = "Another patient";
    about_visit(visit) = "It is about this visit: {visit}.";
    about_no_visit = "It is about no visit.";
    another_encounter = "Another visit";
    only_parts = "Or allow only these parts of it:";
    closes_too(scopes) = "Without this, {scopes} does not open it either.";
    omit = "Leave out all of this";
    left_out = "left out";
    only_reads = "It can only read. It cannot change anything.";
    not_you = "Not you?";
    open_a_group = "Open a group to leave something out.";
    told_elsewhere =
        "What you leave out may still be named in other records, such as notes, reports or dispensed medicines.";
    allow = "Allow";
    deny = "Deny";
    goes_back(address) = "Whatever you decide, you go back to {address}.";
    withdraw_under(page) = "You can withdraw this permission under {page}.";
    what_apps_may = "what apps may do";
    not_all = "not all of it";
    // Scopes.
    offline = "Keep access when you are away";
    offline_note = "It can read the records at any time, until you withdraw it.";
    offline_days(days) = "It ends if the app is not used for {days} days.";
    offline_without = "Without this, its access ends within an hour.";
    online = "Keep access while you are signed in";
    online_note = "It can read the records until you sign out.";
    own_name = "the name that you sign in with";
    own_record = "which record is about you, and what it says";
    which_record = "which record is about you";
    all_of_these = "all of these";
    only_those = "Only those whose";
    reads_only = "This server only reads: nothing is ever changed.";
    one_by_one = "One by one, without searching.";
    only_searched = "Only found by searching.";
    // The access of apps.
    what_apps_may_do = "What apps may do";
    withdrawn = "Withdrawn. It gives no access any more. You are still signed in here.";
    go_to_app = "Go to edgechart";
    no_app = "No app has access to health records in your name.";
    access_of(since, until) = "Since {since}, until {until} at most.";
    used_access_of(since, used, until) = "Since {since}, last used {used}, until {until} at most.";
    of_patient(patient) = "Of the patient {patient}.";
    of_patients(patients) = "Of the patients {patients}.";
    and_more(patients, count) = "{patients} and {count} more";
    of_all_others = "Also of every other patient whom you may see.";
    withdraw = "Withdraw";
    withdraw_of(app) = "Withdraw the access of {app}";
    // Links to share records.
    links = "Links that you share";
    link_used_up = "It opens nothing any more, since there were too many wrong passcodes.";
    end = "End";
    end_link(label) = "End the link {label}";
    // The sign-out.
    really_sign_out = "Sign out?";
    asks_to_sign_out(app) = "{app} asks to sign you out.";
    apps_stop = "Apps that may work while you are signed in stop working too.";
    to_stay = "To stay signed in, close this page.";
    signed_out = "Signed out";
    you_are_signed_out = "You are signed out";
    close_page = "You can close this page.";
    // The launch of the sandbox.
    launch_an_app = "Launch an app";
    stands_for_ehr = "This stands for an EHR: somebody works in it, a chart is open, and an app is opened from there.";
    works_in_ehr(user) = "{user} works in the EHR";
    ehr_signs_in(user, password) = "To sign in: {user}, password {password}.";
    whose_chart = "Whose chart is open";
    nobody_s = "nobody's";
    app = "App";
    visit_is_open = "The latest visit is open too";
    ehr_has_banner = "The EHR shows whose chart it is";
    what_to_do = "What the app is to do (intent)";
    launch = "Launch";
    no_such_launch = "No such launch";
    // Refusals.
    leads_nowhere = "This request leads nowhere";
    has_ended = "This request has ended";
    ended_why = "It was answered already, or it waited for more than ten minutes. Nothing was changed just now.";
    ended_next = "If you allowed the app, go back to it and go on. To decide anew, begin again there.";
    not_valid_here = "This form is not valid here";
    begin_again = "Please go back to the app and begin again there.";
    please_wait = "Please wait";
    wrong_passwords = "There were too many wrong passwords. Please wait a little, then try again.";
    busy_network = "Too much comes from your network at once. Please try again in a minute.";
    did_not_work = "This did not work";
    provider_failed = "The identity provider could not sign you in here. Nothing was changed.";
    try_again = "Try again";
    something_failed = "Something did not work";
    nothing_changed = "Nothing was changed. Please try again in a moment.";
    in_a_moment = "Please try again in a moment.";
    |failure: SignInFailure| {
        Wrong = "Name and password do not belong together. Please try again.";
        Unregistered =
            "Your account at the identity provider is not registered here. Please ask whoever runs this server.";
        ProviderRefused = "The identity provider did not sign you in. You can try again.";
        SomebodyElse = "The app was opened for somebody else. Please sign in as that person.";
    }
    |fault: RequestFault| {
        TwoClients = "The request names its app twice (client_id).";
        NoClient = "The request does not say which app it is from (client_id).";
        UnknownClient = "The app that sent you is not registered here (client_id).";
        ClientDocument = "The description of the app cannot be read, or is not valid (client_id).";
        TwoRedirects = "The request names two addresses to come back to (redirect_uri).";
        NoRedirect = "The request does not say where to come back to (redirect_uri).";
        UnknownRedirect = "The address to come back to is not one that the app registered (redirect_uri).";
        TooLong = "The request is too long.";
        Malformed = "The request is not well formed.";
        NoForm = "The body of the request is not a form.";
        UnknownProvider = "There is no such identity provider.";
        DoubledAnswer = "The answer of the identity provider has a parameter twice.";
        OtherProvider = "The answer is not of the identity provider that was asked.";
        NoProviderCode = "The answer of the identity provider has no code.";
        OtherEncounter = "That visit is not one of this patient.";
        OtherPatient = "That patient is not one of yours.";
        DoubledSignOut = "The request has a parameter twice, or one that is too long.";
        OtherToken = "The identity token is another app's (id_token_hint, client_id).";
        UnknownReturn =
            "The address to go to afterwards is not one that the app registered (post_logout_redirect_uri).";
    }
    |group: Group| {
        Identity = "Identity and personal details";
        Everything = "All kinds of records";
        Problems = "Conditions and allergies";
        Medications = "Medications and vaccinations";
        Results = "Results and vital signs";
        Care = "Care team and visits";
        Documents = "Documents";
        Insurance = "Insurance and bills";
        Catalogues = "Catalogues and definitions";
        Session = "Keep access";
    }
}
