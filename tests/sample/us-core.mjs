// The requirements of the official US Core test kit (6.1.0), one block for each profile:
// - `type`: Observation unless it is another
// - `must`: must-support elements, slices and extensions, each of which must appear somewhere; `→` names the profiles
//   that a reference must reach, `=` a fixed value
// - `mandatory`: elements that must be present wherever their parents are
// - `single`: elements and slices that occur at most once, where R4 allows more
// - `bound`: required bindings
// - `isUnsigned`: no resource of the profile needs to be the target of a Provenance

/** The elements of a vital sign with a LOINC code, up to its value. */
const VITAL = `
  status category category:VSCat.coding
  category:VSCat.coding.system=http://terminology.hl7.org/CodeSystem/observation-category
  category:VSCat.coding.code=vital-signs subject→patient effectiveDateTime category:VSCat`;
const VITAL_MANDATORY = `
  status category category.coding category.coding.system category.coding.code code subject effective[x]
  component.code`;

/** Returns the profile of a vital sign with a LOINC code, in one UCUM unit or the units of a value set. */
const vital = (profile, code, { unit, units }) => ({
  profile,
  must: `
    ${VITAL} code.coding.code=${code} valueQuantity valueQuantity:valueQuantity.value valueQuantity:valueQuantity.unit
    valueQuantity:valueQuantity.system=http://unitsofmeasure.org
    valueQuantity:valueQuantity.code${unit ? `=${unit}` : ''} value[x]:valueQuantity`,
  mandatory: `${VITAL_MANDATORY} value[x].value value[x].unit value[x].system value[x].code`,
  bound: `status=observation-status value.comparator=quantity-comparator ${units ? `value.code=${units}` : ''}`,
});

export const profiles = [
  {
    profile: 'us_core_allergyintolerance',
    type: 'AllergyIntolerance',
    must: 'clinicalStatus verificationStatus code patient→patient reaction reaction.manifestation',
    mandatory: 'code patient reaction.manifestation',
    bound: `
      clinicalStatus=allergyintolerance-clinical verificationStatus=allergyintolerance-verification
      type=allergy-intolerance-type category=allergy-intolerance-category criticality=allergy-intolerance-criticality
      reaction.severity=reaction-event-severity`,
  },
  {
    profile: 'us_core_careplan',
    type: 'CarePlan',
    must: 'text text.status text.div status intent category subject→patient category:AssessPlan',
    mandatory: 'text.status text.div status intent category subject activity.detail.status',
    single: 'category:AssessPlan',
    bound: `
      text.status=us-core-narrative-status status=request-status intent=care-plan-intent
      activity.detail.kind=care-plan-activity-kind activity.detail.status=care-plan-activity-status`,
  },
  {
    profile: 'us_core_careteam',
    type: 'CareTeam',
    must: `
      status subject→patient participant participant.role
      participant.member→practitioner|practitionerrole|relatedperson`,
    mandatory: 'subject participant participant.role participant.member',
    bound: 'status=care-team-status',
  },
  {
    profile: 'us_core_condition_encounter_diagnosis',
    type: 'Condition',
    must: 'category code subject→patient encounter→encounter abatementDateTime recordedDate category:us-core',
    mandatory: 'category code subject',
    bound: 'clinicalStatus=condition-clinical verificationStatus=condition-ver-status',
  },
  {
    profile: 'us_core_condition_problems_health_concerns',
    type: 'Condition',
    must: `
      clinicalStatus verificationStatus category code subject→patient onsetDateTime abatementDateTime recordedDate
      category:us-core category:screening-assessment extension:assertedDate`,
    mandatory: 'category:us-core code subject',
    bound: `
      clinicalStatus=condition-clinical verificationStatus=condition-ver-status
      category:us-core=us-core-problem-or-health-concern`,
  },
  {
    profile: 'us_core_coverage',
    type: 'Coverage',
    must: `
      identifier identifier:memberid.type status type subscriberId beneficiary→patient relationship period
      payor→organization class class:group.value class:plan.value class:plan.name identifier:memberid class:group
      class:plan`,
    mandatory: `
      identifier.type status beneficiary relationship payor class.type class.value costToBeneficiary.value[x]
      costToBeneficiary.exception.type`,
    single: 'payor identifier:memberid class:group class:plan',
    bound: 'identifier.use=identifier-use status=fm-status',
  },
  {
    profile: 'us_core_implantable_device',
    type: 'Device',
    must: `
      udiCarrier udiCarrier.deviceIdentifier udiCarrier.carrierHRF distinctIdentifier manufactureDate expirationDate
      lotNumber serialNumber type patient→patient`,
    mandatory: `
      udiCarrier.deviceIdentifier deviceName.name deviceName.type type specialization.systemType version.value
      property.type patient`,
    single: 'udiCarrier',
    bound: 'udiCarrier.entryType=udi-entry-type status=device-status deviceName.type=device-nametype',
  },
  {
    profile: 'us_core_diagnosticreport_note',
    type: 'DiagnosticReport',
    must: `
      status category code subject→patient encounter→encounter effectiveDateTime issued
      performer→practitioner|organization result→observation-lab|observation-clinical-result presentedForm
      category:us-core`,
    mandatory: 'status category code subject media.link',
    bound: 'status=diagnostic-report-status',
  },
  {
    profile: 'us_core_diagnosticreport_lab',
    type: 'DiagnosticReport',
    must: `
      status category code subject→patient effectiveDateTime issued performer→practitioner result→observation-lab
      category:LaboratorySlice`,
    mandatory: 'status category code subject media.link',
    single: 'category:LaboratorySlice',
    bound: 'status=diagnostic-report-status',
  },
  {
    profile: 'us_core_documentreference',
    type: 'DocumentReference',
    must: `
      identifier status type category subject→patient date author→practitioner content content.attachment
      content.attachment.contentType content.attachment.data content.attachment.url content.format context
      context.encounter→encounter context.period category:uscore`,
    mandatory: 'status type category subject relatesTo.code relatesTo.target content content.attachment',
    single: 'context.encounter',
    bound: `
      status=document-reference-status docStatus=composition-status type=us-core-documentreference-type
      relatesTo.code=document-relationship-type content.attachment.contentType=mimetypes`,
  },
  {
    profile: 'us_core_encounter',
    type: 'Encounter',
    must: `
      identifier identifier.system identifier.value status class type subject→patient participant participant.type
      participant.period participant.individual→practitioner period reasonCode
      reasonReference→condition-problems-health-concerns|condition-encounter-diagnosis hospitalization
      hospitalization.dischargeDisposition location location.location serviceProvider→organization`,
    mandatory: `
      identifier.system identifier.value status statusHistory.status statusHistory.period class classHistory.class
      classHistory.period type subject diagnosis.condition location.location`,
    bound: `
      identifier.use=identifier-use status=encounter-status statusHistory.status=encounter-status
      location.status=encounter-location-status`,
  },
  {
    profile: 'us_core_goal',
    type: 'Goal',
    must: 'lifecycleStatus description subject→patient startDate target target.dueDate',
    mandatory: 'lifecycleStatus description subject',
    bound: 'lifecycleStatus=goal-status',
  },
  {
    profile: 'us_core_immunization',
    type: 'Immunization',
    must: 'status statusReason vaccineCode patient→patient occurrenceDateTime primarySource',
    mandatory: 'status vaccineCode patient occurrence[x] performer.actor protocolApplied.doseNumber[x]',
    bound: 'status=immunization-status',
  },
  {
    profile: 'us_core_location',
    type: 'Location',
    isUnsigned: true,
    must: `
      status name telecom address address.line address.city address.state address.postalCode
      managingOrganization→organization`,
    mandatory: 'name position.longitude position.latitude',
    bound: `
      status=location-status mode=location-mode address.use=address-use address.type=address-type
      hoursOfOperation.daysOfWeek=days-of-week`,
  },
  {
    profile: 'us_core_medication',
    type: 'Medication',
    isUnsigned: true,
    must: 'code',
    mandatory: 'code ingredient.item[x]',
    bound: 'status=medication-status',
  },
  {
    profile: 'us_core_medicationdispense',
    type: 'MedicationDispense',
    must: `
      status medication[x] subject→patient performer performer.actor→organization
      authorizingPrescription→medicationrequest type quantity whenHandedOver dosageInstruction dosageInstruction.text
      dosageInstruction.timing dosageInstruction.doseAndRate dosageInstruction.doseAndRate.doseQuantity`,
    mandatory: 'status medication[x] subject performer.actor substitution.wasSubstituted',
    bound: 'status=medicationdispense-status',
  },
  {
    profile: 'us_core_medicationrequest',
    type: 'MedicationRequest',
    must: `
      status intent category reportedBoolean reportedReference→practitioner medication[x] subject→patient
      encounter→encounter authoredOn requester→practitioner reasonCode reasonReference dosageInstruction
      dosageInstruction.text dosageInstruction.timing dosageInstruction.doseAndRate
      dosageInstruction.doseAndRate.doseQuantity dispenseRequest dispenseRequest.numberOfRepeatsAllowed
      dispenseRequest.quantity category:us-core`,
    mandatory: 'status intent medication[x] subject substitution.allowed[x]',
    bound: 'status=medicationrequest-status intent=medicationrequest-intent priority=request-priority',
  },
  {
    profile: 'us_core_observation_lab',
    must: `
      status category code subject→patient effectiveDateTime valueQuantity valueCodeableConcept valueString
      specimen→specimen category:us-core`,
    mandatory: 'status category code subject component.code',
    bound: 'status=observation-status category=us-core-clinical-result-observation-category',
  },
  {
    profile: 'us_core_observation_pregnancystatus',
    must: `
      status category code.coding.code=82810-3 subject→patient effective[x]:effectiveDateTime
      value[x]:valueCodeableConcept category:SocialHistory`,
    mandatory: 'status code subject effective[x] value[x] component.code',
    bound: 'status=observation-status',
  },
  {
    profile: 'us_core_observation_pregnancyintent',
    must: `
      status category code.coding.code=86645-9 subject→patient effective[x]:effectiveDateTime
      value[x]:valueCodeableConcept category:SocialHistory`,
    mandatory: 'status code subject effective[x] value[x] component.code',
    bound: 'status=observation-status',
  },
  {
    profile: 'us_core_observation_occupation',
    must: `
      status category code.coding.code=11341-5 subject→patient component component:industry.code
      component:industry.value[x] effective[x]:effectivePeriod value[x]:valueCodeableConcept category:socialhistory
      component:industry`,
    mandatory: 'status code subject value[x] component.code component.value[x]',
    bound: 'status=observation-status',
  },
  vital('us_core_respiratory_rate', '9279-1', { unit: '/min' }),
  {
    profile: 'us_core_simple_observation',
    must: `
      status category code subject→patient effectiveDateTime performer valueQuantity valueCodeableConcept valueString
      valueBoolean derivedFrom category:us-core`,
    mandatory: 'status category code subject component.code',
    bound: 'status=observation-status',
  },
  vital('us_core_heart_rate', '8867-4', { unit: '/min' }),
  vital('us_core_body_temperature', '8310-5', { units: 'ucum-bodytemp' }),
  vital('pediatric_weight_for_height', '77606-2', { unit: '%' }),
  {
    profile: 'us_core_pulse_oximetry',
    must: `
      ${VITAL} code code.coding subject→patient effectiveDateTime valueQuantity
      valueQuantity:valueQuantity.value valueQuantity:valueQuantity.unit
      valueQuantity:valueQuantity.system=http://unitsofmeasure.org valueQuantity:valueQuantity.code=% component
      component.code component.valueQuantity component:FlowRate.code component:FlowRate.valueQuantity
      component:FlowRate.valueQuantity.value component:FlowRate.valueQuantity.unit
      component:FlowRate.valueQuantity.system=http://unitsofmeasure.org component:FlowRate.valueQuantity.code=L/min
      component:Concentration.code component:Concentration.valueQuantity component:Concentration.valueQuantity.value
      component:Concentration.valueQuantity.unit component:Concentration.valueQuantity.system=http://unitsofmeasure.org
      component:Concentration.valueQuantity.code=% value[x]:valueQuantity category:VSCat code.coding:PulseOx
      code.coding:O2Sat component:FlowRate component:Concentration`,
    mandatory: `
      ${VITAL_MANDATORY} code.coding
      value[x].value value[x].unit value[x].system value[x].code component.code component.value[x].value
      component.value[x].unit component.value[x].system component.value[x].code`,
    bound: `
      status=observation-status value.comparator=quantity-comparator component.value.comparator=quantity-comparator`,
  },
  {
    profile: 'us_core_smokingstatus',
    must: 'status category code subject→patient valueCodeableConcept effective[x] category:SocialHistory',
    mandatory: 'status category code subject effective[x] value[x] component.code',
    bound: 'status=us-core-observation-smoking-status-status',
  },
  {
    profile: 'us_core_observation_sexual_orientation',
    must: 'status code.coding.code=76690-7 subject→patient effectiveDateTime value[x]:valueCodeableConcept',
    mandatory: 'status code subject component.code',
    bound: 'status=observation-status',
  },
  vital('us_core_head_circumference', '9843-4', { units: 'ucum-bodylength' }),
  vital('us_core_body_height', '8302-2', { units: 'ucum-bodylength' }),
  vital('us_core_bmi', '39156-5', { unit: 'kg/m2' }),
  {
    profile: 'us_core_observation_screening_assessment',
    must: `
      status category code subject→patient effectiveDateTime performer valueQuantity valueCodeableConcept valueString
      hasMember→observation-screening-assessment derivedFrom→observation-screening-assessment|questionnaireresponse
      category:survey category:screening-assessment`,
    mandatory: 'status category code subject component.code',
    bound: 'status=observation-status',
  },
  {
    profile: 'us_core_blood_pressure',
    must: `
      ${VITAL} code.coding.code=85354-9 subject→patient effectiveDateTime component
      component.code component.valueQuantity component.dataAbsentReason component:systolic.code
      component:systolic.valueQuantity component:systolic.valueQuantity.value component:systolic.valueQuantity.unit
      component:systolic.valueQuantity.system=http://unitsofmeasure.org component:systolic.valueQuantity.code=mm[Hg]
      component:systolic.dataAbsentReason component:diastolic.code component:diastolic.valueQuantity
      component:diastolic.valueQuantity.value component:diastolic.valueQuantity.unit
      component:diastolic.valueQuantity.system=http://unitsofmeasure.org component:diastolic.valueQuantity.code=mm[Hg]
      component:diastolic.dataAbsentReason category:VSCat component:systolic component:diastolic`,
    mandatory: `
      ${VITAL_MANDATORY} component
      component.value[x].value component.value[x].unit component.value[x].system
      component.value[x].code`,
    single: 'category:VSCat component:systolic component:diastolic',
    bound: 'status=observation-status component.value.comparator=quantity-comparator',
  },
  {
    profile: 'us_core_observation_clinical_result',
    must: `
      status category code subject→patient effectiveDateTime valueQuantity valueCodeableConcept valueString
      category:us-core`,
    mandatory: 'status category code subject component.code',
    bound: 'status=observation-status',
  },
  vital('pediatric_bmi_for_age', '59576-9', { unit: '%' }),
  vital('head_occipital_frontal_circumference_percentile', '8289-1', { unit: '%' }),
  vital('us_core_body_weight', '29463-7', { units: 'ucum-bodyweight' }),
  {
    profile: 'us_core_organization',
    type: 'Organization',
    isUnsigned: true,
    must: `
      identifier identifier.system identifier.value active name telecom telecom.system telecom.value address
      address.line address.city address.state address.postalCode address.country identifier:NPI`,
    mandatory: 'active name',
    bound: `
      identifier.use=identifier-use telecom.system=contact-point-system telecom.use=contact-point-use
      address.use=address-use address.type=address-type`,
  },
  {
    profile: 'us_core_patient',
    type: 'Patient',
    must: `
      identifier identifier.system identifier.value name name.use=old name.family name.given name.suffix name.period.end
      telecom telecom.system telecom.value telecom.use gender birthDate deceasedDateTime address address.use=old
      address.line address.city address.state address.postalCode address.period.end communication communication.language
      extension:race extension:ethnicity extension:tribalAffiliation extension:sex`,
    mandatory: `
      identifier identifier.system identifier.value name telecom.system telecom.value gender communication.language
      link.other link.type`,
    single: 'extension:race extension:ethnicity extension:sex',
    bound: `
      identifier.use=identifier-use name.use=name-use telecom.system=contact-point-system telecom.use=contact-point-use
      gender=administrative-gender address.use=address-use address.type=address-type
      contact.gender=administrative-gender link.type=link-type`,
  },
  {
    profile: 'us_core_practitioner',
    type: 'Practitioner',
    isUnsigned: true,
    must: `
      identifier identifier.system identifier.value name name.family telecom telecom.system telecom.value
      identifier:NPI`,
    mandatory: 'identifier identifier.system identifier.value name name.family qualification.code',
    bound: `
      identifier.use=identifier-use name.use=name-use telecom.system=contact-point-system telecom.use=contact-point-use
      address.use=address-use address.type=address-type gender=administrative-gender`,
  },
  {
    profile: 'us_core_practitionerrole',
    type: 'PractitionerRole',
    isUnsigned: true,
    must: `
      practitioner→practitioner organization→organization code specialty location telecom telecom.system telecom.value
      endpoint`,
    mandatory: 'telecom.system telecom.value notAvailable.description',
    bound: 'telecom.system=contact-point-system telecom.use=contact-point-use availableTime.daysOfWeek=days-of-week',
  },
  {
    profile: 'us_core_procedure',
    type: 'Procedure',
    must: 'basedOn status code subject→patient performedDateTime',
    mandatory: 'status code subject performer.actor focalDevice.manipulated',
    bound: 'status=event-status',
  },
  {
    profile: 'us_core_provenance',
    type: 'Provenance',
    isUnsigned: true,
    must: `
      target target.reference recorded agent agent.type agent.who→organization agent.onBehalfOf→organization
      agent:ProvenanceAuthor.type agent:ProvenanceTransmitter.type agent:ProvenanceAuthor agent:ProvenanceTransmitter`,
    mandatory: 'target recorded agent agent.who agent.type entity.role entity.what',
    single: 'agent:ProvenanceTransmitter',
    bound: 'entity.role=provenance-entity-role',
  },
  {
    profile: 'us_core_questionnaireresponse',
    type: 'QuestionnaireResponse',
    must: `
      identifier questionnaire status subject→patient authored author→practitioner item item.linkId item.text
      item.answer item.answer.valueDecimal item.answer.valueString item.answer.valueCoding item.answer.item item.item
      questionnaire.extension:questionnaireDisplay questionnaire.extension:url`,
    mandatory: 'questionnaire status subject authored item.linkId',
    bound: 'status=questionnaire-answers-status',
  },
  {
    profile: 'us_core_relatedperson',
    type: 'RelatedPerson',
    must: 'active patient→patient relationship name telecom address',
    mandatory: 'active patient communication.language',
    bound: 'gender=administrative-gender',
  },
  {
    profile: 'us_core_servicerequest',
    type: 'ServiceRequest',
    must: `
      status intent category code subject→patient occurrencePeriod authoredOn requester→practitioner reasonCode
      reasonReference category:us-core`,
    mandatory: 'status intent code subject',
    bound: 'status=request-status intent=request-intent priority=request-priority',
  },
  {
    profile: 'us_core_specimen',
    type: 'Specimen',
    isUnsigned: true,
    must: 'type subject→patient',
    mandatory: 'type',
    bound: 'status=specimen-status',
  },
].map((profile) => ({ type: 'Observation', ...profile }));
