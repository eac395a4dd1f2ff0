// The required bindings that US Core names, with their codes (FHIR R4 4.0.1, US Core 6.1.0).

const codes = (list) => ({ holds: (code) => list.split(' ').includes(code) });
const pattern = (regex) => ({ holds: (code) => regex.test(code) });

export const bindings = {
  'address-type': codes('postal physical both'),
  'address-use': codes('home work temp old billing'),
  'administrative-gender': codes('male female other unknown'),
  'allergy-intolerance-category': codes('food medication environment biologic'),
  'allergy-intolerance-criticality': codes('low high unable-to-assess'),
  'allergy-intolerance-type': codes('allergy intolerance'),
  'allergyintolerance-clinical': codes('active inactive resolved'),
  'allergyintolerance-verification': codes('unconfirmed confirmed refuted entered-in-error'),
  'care-plan-activity-kind': codes(
    'Appointment CommunicationRequest DeviceRequest MedicationRequest NutritionOrder Task ServiceRequest ' +
      'VisionPrescription',
  ),
  'care-plan-activity-status': codes(
    'not-started scheduled in-progress on-hold completed cancelled stopped unknown entered-in-error',
  ),
  'care-plan-intent': codes('proposal plan order option'),
  'care-team-status': codes('proposed active suspended inactive entered-in-error'),
  'composition-status': codes('preliminary final amended entered-in-error'),
  'condition-clinical': codes('active recurrence relapse inactive remission resolved'),
  'condition-ver-status': codes('unconfirmed provisional differential confirmed refuted entered-in-error'),
  'contact-point-system': codes('phone fax email pager url sms other'),
  'contact-point-use': codes('home work temp old mobile'),
  'days-of-week': codes('mon tue wed thu fri sat sun'),
  'device-nametype': codes(
    'udi-label-name user-friendly-name patient-reported-name manufacturer-name model-name other',
  ),
  'device-status': codes('active inactive entered-in-error unknown'),
  'diagnostic-report-status': codes(
    'registered partial preliminary final amended corrected appended cancelled entered-in-error unknown',
  ),
  'document-reference-status': codes('current superseded entered-in-error'),
  'document-relationship-type': codes('replaces transforms signs appends'),
  'encounter-location-status': codes('planned active reserved completed'),
  'encounter-status': codes('planned arrived triaged in-progress onleave finished cancelled entered-in-error unknown'),
  'event-status': codes('preparation in-progress not-done on-hold stopped completed entered-in-error unknown'),
  'fm-status': codes('active cancelled draft entered-in-error'),
  'goal-status': codes('proposed planned accepted active on-hold completed cancelled entered-in-error rejected'),
  'identifier-use': codes('usual official temp secondary old'),
  'immunization-status': codes('completed entered-in-error not-done'),
  'link-type': codes('replaced-by replaces refer seealso'),
  'location-mode': codes('instance kind'),
  'location-status': codes('active suspended inactive'),
  'medication-status': codes('active inactive entered-in-error'),
  'medicationdispense-status': codes(
    'preparation in-progress cancelled on-hold completed entered-in-error stopped declined unknown',
  ),
  'medicationrequest-intent': codes(
    'proposal plan order original-order reflex-order filler-order instance-order option',
  ),
  'medicationrequest-status': codes('active on-hold cancelled completed entered-in-error stopped draft unknown'),
  mimetypes: pattern(/^[a-z]+\/[a-z0-9.+-]+(; ?charset=utf-8)?$/),
  'name-use': codes('usual official temp nickname anonymous old maiden'),
  'observation-status': codes('registered preliminary final amended corrected cancelled entered-in-error unknown'),
  'provenance-entity-role': codes('derivation revision quotation source removal'),
  'quantity-comparator': codes('< <= >= >'),
  'questionnaire-answers-status': codes('in-progress completed amended entered-in-error stopped'),
  'reaction-event-severity': codes('mild moderate severe'),
  'request-intent': codes(
    'proposal plan directive order original-order reflex-order filler-order instance-order option',
  ),
  'request-priority': codes('routine urgent asap stat'),
  'request-status': codes('draft active on-hold revoked completed entered-in-error unknown'),
  'specimen-status': codes('available unavailable unsatisfactory entered-in-error'),
  'udi-entry-type': codes('barcode rfid manual card self-reported unknown'),
  'ucum-bodylength': codes('cm [in_i]'),
  'ucum-bodytemp': codes('Cel [degF]'),
  'ucum-bodyweight': codes('g kg [lb_av]'),
  'us-core-clinical-result-observation-category': codes('laboratory imaging procedure exam therapy activity'),
  'us-core-documentreference-type': pattern(/^\d+-\d$/),
  'us-core-narrative-status': codes('additional generated'),
  'us-core-observation-smoking-status-status': codes('final entered-in-error'),
  'us-core-problem-or-health-concern': codes('problem-list-item health-concern'),
  'yes-no-unknown': codes('373066001 373067005 unknown asked-unknown'),
};

/** Bindings in the extensions of Patient: url of the extension, url of the part, codes. */
export const extensionBindings = [
  ['us-core-race', 'ombCategory', codes('1002-5 2028-9 2054-5 2076-8 2106-3 UNK ASKU')],
  ['us-core-race', 'detailed', pattern(/^\d{4}-\d$/)],
  ['us-core-ethnicity', 'ombCategory', codes('2135-2 2186-5')],
  ['us-core-ethnicity', 'detailed', pattern(/^\d{4}-\d$/)],
  ['us-core-birthsex', undefined, codes('F M OTH UNK ASKU')],
  ['us-core-sex', undefined, codes('248152002 248153007')],
  ['us-core-interpreter-needed', undefined, codes('373066001 373067005 unknown asked-unknown')],
];
