// The proof that the sample shows everything: reads sample/*.ndjson and holds it against us-core.mjs and spec.mjs, which are
// transcriptions of the official kit's demands and of the contract. Run: node --test tests/sample/coverage.test.mjs

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bindings, extensionBindings } from './bindings.mjs'
import { invariants } from './invariants.mjs'
import { alsoSupported, namedValues, plainTypes, signedTypes } from './spec.mjs'
import { profiles } from './us-core.mjs'
import { lacking, values } from './walk.mjs'

const sample = new URL('../../sample/', import.meta.url)
const text = Object.fromEntries(readdirSync(sample).filter(name => name.endsWith('.ndjson'))
  .map(name => [name.slice(0, -'.ndjson'.length), readFileSync(new URL(name, sample), 'utf8')]))
const all = Object.fromEntries(Object.entries(text).map(([type, lines]) => [type, lines.trim().split('\n').map(line => JSON.parse(line))]))
const everything = Object.values(all).flat()
const byReference = new Map(everything.map(resource => [`${resource.resourceType}/${resource.id}`, resource]))

const CORE = 'http://hl7.org/fhir/us/core/StructureDefinition/'
const url = profile => `${CORE}${profile.replaceAll('_', '-')}`
const of = profile => everything.filter(({ meta }) => meta.profile.includes(url(profile)))
const words = list => (list ?? '').split(/\s+/).filter(Boolean)
const name = resource => `${resource.resourceType}/${resource.id}`

/** References that point nowhere on purpose: none today. */
const DANGLING = new Set([])

const target = reference => byReference.get(reference.replace(/\/_history\/.*$/, ''))

/** Runs every row, and says all that failed, not only the first. */
function rows(list, check) {
  const failures = list.flatMap(row => check(row) ?? [])
  assert.deepEqual(failures, [])
}

test('every must-support element, slice and extension of US Core appears, and its references reach their profiles', () => {
  rows(profiles, ({ profile, must }) => words(must).flatMap(element => appears(profile, element)))
})

test('every element that the contract adds appears', () => {
  rows(alsoSupported, ([profile, elements]) => words(elements).flatMap(element => appears(profile, element)))
})

function appears(profile, element) {
  const [, path, fixed, targets] = element.match(/^([^=→]+)(?:=([^→]+))?(?:→(.+))?$/)
  const found = of(profile).flatMap(resource => values(resource, path))
  if (!found.length) return `${profile}: ${path} never appears`
  if (fixed && !found.includes(fixed)) return `${profile}: ${path} is never ${fixed}`
  return words(targets?.replaceAll('|', ' ')).flatMap(kind => {
    const wanted = kind === 'media' ? 'http://hl7.org/fhir/StructureDefinition/Media' : `${CORE}us-core-${kind}`
    const reached = found.some(({ reference }) => reference && target(reference)?.meta.profile.includes(wanted))
    return reached ? [] : `${profile}: ${path} never reaches ${wanted}`
  })
}

test('mandatory elements are there wherever their parents are', () => {
  rows(profiles, ({ profile, mandatory }) => words(mandatory).flatMap(path =>
    of(profile).flatMap(resource => lacking(resource, path).map(() => `${profile}: ${name(resource)} lacks ${path}`))))
})

test('required bindings hold', () => {
  rows(profiles, ({ profile, bound }) => words(bound).flatMap(row => {
    const [path, binding] = row.split('=')
    const set = bindings[binding] ?? assert.fail(`this test does not know the value set ${binding}`)
    return of(profile).flatMap(resource => values(resource, path.replace(/\bvalue\b/, 'value[x]')).map(value => [resource, value]))
      .filter(([, value]) => !inSet(set, value)).map(
        ([resource, value]) => `${profile}: ${name(resource)} ${path} ${JSON.stringify(value)} is not in ${binding}`
      )
  }))
})

/** A code must be in the set; of a concept, one coding. A slice's binding only speaks about its own entries. */
const inSet = (set, value) => typeof value === 'string' ? set.holds(value)
  : value.coding?.some(({ code }) => set.holds(code)) || value.coding?.some(({ system }) => system.endsWith('/us-core-category'))

test("codes in the patients' extensions are of their value sets", () => {
  rows(extensionBindings,
    ([extension, part, set]) => all.Patient.flatMap(patient => patient.extension.filter(e => e.url === CORE + extension)
    .flatMap(e => (part ? e.extension.filter(p => p.url === part).map(p => p.valueCoding.code) : [e.valueCode]))
    .filter(code => !set.holds(code)).map(code => `${name(patient)}: ${extension} ${part ?? ''} ${code}`)))
})

test('every value that the contract names occurs', () => {
  rows(namedValues, ([type, path, list]) => {
    const found = new Set(all[type].flatMap(resource => values(resource, path)))
    return words(list).filter(value => !found.has(value)).map(value => `${type}.${path} is never ${value}`)
  })
})

test('the constraints of R4 and US Core hold', () => {
  rows(
    invariants,
    ([type, key, rule, holds]) => all[type].filter(resource => !holds(resource, all)).map(resource => `${name(resource)}: ${key}, ${rule}`)
  )
})

test('every type of the contract is there', () => {
  rows([...new Set(profiles.map(({ type }) => type)), ...plainTypes], type => (all[type]?.length ? [] : `no ${type}`))
})

test('each profile has a signed resource, and each type that the contract lists', () => {
  const signed = new Set(all.Provenance.flatMap(({ target }) => target.map(({ reference }) => reference.replace(/\/_history\/.*$/, ''))))
  rows(
    profiles.filter(profile => profile.signed),
    ({ profile }) => (of(profile).some(resource => signed.has(name(resource))) ? [] : `${profile}: no Provenance`)
  )
  rows(signedTypes, type => (all[type].some(resource => signed.has(name(resource))) ? [] : `${type}: no Provenance`))
})

test('ids are valid, and unique within their type; every resource says its version, time and profile', () => {
  assert.equal(byReference.size, everything.length, 'an id is told twice')
  const known = new Set(profiles.map(({ profile, type }) => `${type} ${url(profile)}`))
  rows(everything, resource => {
    const { versionId, lastUpdated, profile = [] } = resource.meta
    const demands = {
      'not an id': /^[A-Za-z0-9.-]{1,64}$/.test(resource.id),
      'no versionId': /^\d+$/.test(versionId),
      'no lastUpdated': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(lastUpdated),
      'touched in the future': lastUpdated < '2026-11-01',
      'no profile, or one with a version': profile.length && !profile.some(canonical => canonical.includes('|')),
      'a profile of another type': profile.every(canonical => known.has(`${resource.resourceType} ${canonical}`)
        || canonical === `http://hl7.org/fhir/StructureDefinition/${resource.resourceType}`),
    }
    return Object.keys(demands).filter(demand => !demands[demand]).map(demand => `${name(resource)}: ${demand}`)
  })
})

test('nothing is empty: no empty string, array or object, no null, no blank at either end of a string', () => {
  const empty = value => value === null || (typeof value === 'string' ? value !== value.trimStart() || value.trim() === '' : Object.keys(value).length === 0)
  const within = node => node !== null && typeof node === 'object' && Object.values(node).some(value => typeof value !== 'number' &&
    typeof value !== 'boolean' && (empty(value) || within(value)))
  rows(everything, resource => (within(resource) ? `${name(resource)} has an empty element` : []))
})

test('every reference resolves, to the right type', () => {
  rows(everything, resource => references(resource).flatMap(reference => {
    if (reference.startsWith('#')) {
      return resource.contained?.some(({ id }) => `#${id}` === reference) ? [] : `${name(resource)}: nothing contained as ${reference}`
    }
    return target(reference) || DANGLING.has(reference) ? [] : `${name(resource)}: ${reference} points nowhere`
  }))
})

function references(node) {
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([key, value]) => (key === 'reference' && typeof value === 'string' ? [value] : references(value)))
}

test('nobody is the subject of a resource that is filed with another, but for the traps', () => {
  const traps = new Set(['Observation/matias-wrong-twin-peak-flow', 'Provenance/matias-and-mateo-flu-provenance',
    'CareTeam/finn-care-team', 'Condition/finn-jaundice',
    'DocumentReference/finn-newborn-note'])
  const subject = resource => (resource.subject ?? resource.patient ?? resource.beneficiary)?.reference
  const crossing = everything.filter(resource => /^Patient\//.test(subject(resource) ?? ''))
    .filter(resource => references(resource).some(reference => {
      const reached = target(reference)
      const owner = reached && (reached.resourceType === 'Patient' ? reference : subject(reached))
      return /^Patient\//.test(owner ?? '') && owner !== subject(resource)
    })).map(name)
  assert.deepEqual(crossing.filter(reference => !traps.has(reference)), [])
  for (const trap of traps) assert.ok(byReference.has(trap), trap)
  for (const trap of [...traps].filter(trap => !trap.startsWith('Provenance'))) assert.ok(
    crossing.includes(trap), `${trap} no longer crosses`
  )
})

test('dates are dates: real days, zones where there are times, starts before ends, births before everything', () => {
  const planned = /due|period|occurrence|bounds|end$/i
  rows(everything, resource => [...moments(resource)].flatMap(([path, moment]) => [
    isMoment(moment) ? [] : `${name(resource)}.${path}: ${moment} is no date`,
    moment < '2026-11' || planned.test(path) ? [] : `${name(resource)}.${path}: ${moment} is in the future`,
  ].flat()))
  rows(everything, resource => periods(resource).filter(({ start, end }) => start && end && earliest(start) > latest(end))
    .map(({ start, end }) => `${name(resource)}: ${start} to ${end}`))
  rows(everything, resource => {
    const born = target((resource.subject ?? resource.patient)?.reference ?? '')?.birthDate
    const when = [
      resource.effectiveDateTime, resource.occurrenceDateTime, resource.performedDateTime, resource.onsetDateTime,
      resource.period?.start,
    ].find(Boolean)
    return born && when && latest(when) < Date.parse(born) - DAY ? `${name(resource)}: ${when} is before the birth` : []
  })
})

const DATES = `date issued recorded authored authoredOn start end birthDate recordedDate startDate dueDate statusDate whenHandedOver whenPrepared
  manufactureDate expirationDate lastOccurrence`.split(/\s+/)
const isDate = key => DATES.includes(key) || key.endsWith('DateTime')

function* moments(node, path = '') {
  if (node === null || typeof node !== 'object') return
  for (const [key, value] of Object.entries(node)) {
    const here = path ? `${path}.${key}` : key
    if (typeof value === 'string' && isDate(key)) yield [here, value]
    else yield* moments(value, here)
  }
}

/** A date, to the year, the month, the day, or the second with a zone. */
function isMoment(moment) {
  const [, year, month, day, time] = moment.match(/^(\d{4})(?:-(\d\d)(?:-(\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?)?)?$/) ?? []
  if (!year || time && Number.isNaN(Date.parse(moment))) return false
  return !day || new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === +day
}

const DAY = 86_400_000
const earliest = moment => Date.parse(moment)
const latest = moment => Date.parse(moment) + ({ 4: 366, 7: 31, 10: 1 }[moment.length] ?? 0) * DAY

function periods(node) {
  if (node === null || typeof node !== 'object') return []
  return [...('start' in node || 'end' in node ? [node] : []), ...Object.values(node).flatMap(periods)]
}

// ── The rules of Inferno's US Core kit ──────────────────────────────────────────────────────────────────────────

test('missing data: the data-absent-reason extension and the code `unknown` are both used', () => {
  const extension = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason'
  assert.ok(everything.some(resource => JSON.stringify(resource).includes(`"url":"${extension}"`)), 'no extension')
  const code = `"system":"http://terminology.hl7.org/CodeSystem/data-absent-reason","code":"unknown"`
  assert.ok(everything.some(resource => JSON.stringify(resource).includes(code)), 'no code')
})

test("every report's file is also a document of the same patient", () => {
  const files = new Set(
    all.DocumentReference.flatMap(doc => doc.content.map(({ attachment }) => `${doc.subject.reference} ${attachment.url}`))
  )
  rows(all.DiagnosticReport, ({ id, subject, presentedForm = [] }) => presentedForm
    .filter(form => form.url && !files.has(`${subject.reference} ${form.url}`)).map(form => `DiagnosticReport/${id}: ${form.url} is no document`))
})

test('screening: sdoh among concerns and problems, all four among surveys', () => {
  const tagged = (type, category) => all[type].filter(r => r.category?.some(c => c.coding?.some(({ code }) => code === category)))
    .flatMap(r => r.category.flatMap(c => c.coding?.map(({ code }) => code)))
  assert.ok(tagged('Condition', 'health-concern').includes('sdoh') && tagged('Condition', 'problem-list-item').includes('sdoh'))
  for (const status of ['sdoh', 'functional-status', 'disability-status', 'cognitive-status']) assert.ok(
    tagged('Observation', 'survey').includes(status), status
  )
})

test('attachments: text, web page and PDF inline, an absolute and a relative address; what is inline is what it says', () => {
  const attachments = all.DocumentReference.flatMap(doc => doc.content.map(({ attachment }) => attachment))
  const inline = type => attachments.filter(a => a.data && a.contentType.startsWith(type)).map(
    a => Buffer.from(a.data, 'base64').toString('latin1')
  )
  assert.ok(inline('text/plain').length && inline('text/html').length && inline('application/pdf').length)
  assert.ok(inline('text/html').every(page => !/<script|onerror|javascript:/i.test(page)))
  for (const pdf of inline('application/pdf')) {
    assert.match(pdf, /^%PDF-1\.4\n[^]*%%EOF\n$/)
    const xref = +pdf.match(/startxref\n(\d+)/)[1]
    assert.ok(pdf.slice(xref).startsWith('xref\n'), 'the cross-reference table is where the file says')
    for (const [, offset] of pdf.slice(xref).matchAll(/^(\d{10}) 00000 n /gm)) assert.match(pdf.slice(+offset), /^\d+ 0 obj\n/)
  }
  assert.ok(attachments.some(a => a.url?.startsWith('https://documents.example.org/')) && attachments.some(a => a.url === 'notes/1.pdf'))
})

// ── What else the sample promises ─────────────────────────────────────────────────────────────────────────────────

test('one patient has pages of laboratory results, and numbers keep their digits', () => {
  const results = all.Observation.filter(
    ({ subject, category }) => subject.reference === 'Patient/amara-okafor' && category?.some(c => c.coding?.[0].code === 'laboratory')
  )
  assert.ok(results.length >= 260, `${results.length} results`)
  const days = results.map(r => r.effectiveDateTime).filter(Boolean).sort()
  assert.ok(+days.at(-1).slice(0, 4) - days[0].slice(0, 4) >= 8)
  for (const digits of ['1.0', '5.40', '1.2E+2', '12.10', '15.00', '3.0']) assert.ok(
    text.Observation.includes(`"value":${digits},`), digits
  )
  for (const flag of ['H', 'L', 'N']) assert.ok(results.some(r => r.interpretation?.[0].coding[0].code === flag), flag)
})

test('the odd and legal is there', () => {
  const odd = {
    'a year only': all.Condition.some(r => /^\d{4}$/.test(r.onsetDateTime)),
    'a year and a month': all.Immunization.some(r => /^\d{4}-\d\d$/.test(r.occurrenceDateTime)),
    'a zone east of Greenwich': text.Observation.includes('+05:30"'),
    'daylight saving and not': text.Observation.includes('-04:00"') && text.Observation.includes('-05:00"'),
    'fractions of a second': /T\d\d:\d\d:\d\d\.\d{6}Z/.test(text.Observation),
    'a period without an end': all.CareTeam.some(r => r.period?.start && !r.period.end),
    'a period without a start': all.Patient.some(r => r.name.some(n => n.period && !n.period.start)),
    'several codings': everything.some(r => r.code?.coding?.length > 1),
    'text only': all.Condition.some(r => r.code.text && !r.code.coding),
    'an accent, an apostrophe, a hyphen': all.Patient.some(r => r.name[0].text?.includes("Zoë Marguerite O'Brien-Nuñez")),
    'the same id in two types': byReference.has('Patient/priya-raman') && byReference.has('Practitioner/priya-raman'),
    effectivePeriod: all.Observation.some(r => r.effectivePeriod),
    effectiveTiming: all.Observation.some(r => r.effectiveTiming),
    'issued without effective': all.Observation.some(r => r.issued && !Object.keys(r).some(key => key.startsWith('effective'))),
    'a diagnosis without clinicalStatus': all.Condition.some(r => !r.clinicalStatus),
    onsetString: all.Condition.some(r => r.onsetString), onsetAge: all.Condition.some(r => r.onsetAge),
    abatementString: all.Condition.some(r => r.abatementString),
    occurrenceString: all.Immunization.some(r => r.occurrenceString),
    'a group as subject': all.Observation.some(r => r.subject.reference.startsWith('Group/')),
    'a versioned target': all.Provenance.some(r => r.target.some(t => t.reference.includes('/_history/'))),
    'a Provenance across patients': all.Provenance.some(
      r => new Set(r.target.map(t => (target(t.reference).subject ?? target(t.reference).patient)?.reference).filter(Boolean)).size > 1
    ),
    'a care team with another patient on it': all.CareTeam.some(
      r => r.participant.some(p => p.member.reference.startsWith('Patient/') && p.member.reference !== r.subject.reference)
    ),
    'a relative on a care team': all.CareTeam.some(r => r.participant.some(p => p.member.reference.startsWith('RelatedPerson/'))),
    'no mix-up of twins possible by code and day': twins(),
  }
  rows(Object.entries(odd), ([what, there]) => (there ? [] : what))
})

/** The twins' charts hold the same codes on the same days. */
function twins() {
  const shape = patient => new Set(
    all.Observation.filter(r => r.subject.reference === `Patient/${patient}`).map(
      r => `${r.code.coding?.[0].code} ${r.effectiveDateTime?.slice(0, 10)}`
    )
  )
  const [mateo, matias] = [shape('mateo-reyes'), shape('matias-reyes')]
  return [...matias].filter(one => mateo.has(one)).length >= 15
}

test('enough people, small enough, and no file that the loader would take by mistake', () => {
  assert.ok(all.Patient.length >= 9)
  assert.ok(Object.values(text).reduce((sum, lines) => sum + Buffer.byteLength(lines), 0) < 1_200_000)
  const files = readdirSync(sample, { recursive: true })
  assert.deepEqual(files.filter(file => /\.json(\.gz)?$/.test(file)), [])
  for (const [type, resources] of Object.entries(all)) {
    assert.ok(resources.every(({ resourceType }) => resourceType === type))
    assert.deepEqual(resources.map(({ id }) => id), resources.map(({ id }) => id).sort(), `${type} is sorted`)
  }
})

test('the files are what the generator writes', () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('generate.mjs', sample)), '--check'], { stdio: 'pipe' })
})
