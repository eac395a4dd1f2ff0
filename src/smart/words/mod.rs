//! The texts of descriptions in English. They define the texts for which each other language has a file.

mod es;

fhir::texts! {
    openid = "Know who you are, by signing you in";
    fhir_user = "Know which record describes you, a patient's or a practitioner's, and read that one";
    profile = "Know your profile; it opens nothing further here";
    launch = "Start from within a medical record, with what is open there";
    launch_patient = "Have you choose the patient whom it is about";
    launch_encounter = "Have you choose the visit that it is about";
    offline_access = "Keep access while you do not use it, until you withdraw it";
    online_access = "Keep access as long as you are signed in";
    other = "Something that opens no records";
    read = "Read";
    only_read = "Read, one by one and not by searching,";
    search = "Search";
    change = "Change";
    never_changes = "it opens nothing here, where records are only read";
    whose = " whose ";
    and_whose = " and whose ";
    and = " and ";
    kinds = "kinds of records";
    of_users = ", of every patient whom you may see";
    of_all = ", of all patients";
    problem_list = "the problem list";
    diagnoses = "diagnoses made at visits";
    concerns = "health concerns";
    laboratory = "laboratory results";
    vital_signs = "vital signs";
    tests = "results of clinical tests";
    habits = "habits and life, such as smoking";
    survey = "answers to questionnaires";
    social_needs = "social needs, such as housing and food";
    no_scope = "Nothing";
    without_patient = "{} opens nothing without a patient in the token.";
    for_changes = "{} is for changes, and this service only reads.";
    only_searches = "{} opens searching {type}, not reading it by id.";
    only_reads = "{} opens reading {type} by id, not searching it.";
    would_need = "it would need";
    is_not_in = "is not in";
    nothing_names = "No scope names";
}
