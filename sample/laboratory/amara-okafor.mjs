// Nine years of a diabetic's quarterly blood tests, with the digits that the laboratory sent. HbA1c never quite reaches
// its target, there is a pandemic spring, a new tablet in May 2022, and slowly falling kidney function.

import { at, hl7, quantity, to } from '../build.mjs';
import { loinc, specimenType } from '../codes.mjs';
import { lindholm, mapleRidge, raman } from '../directory.mjs';
import { analytes, labs, named } from '../measures.mjs';

const quarterly = `
  day         HbA1c  glucose  creatinine  eGFR  K     Na
  2017-11-14  9.1    191      0.84        79    4.4   138
  2018-02-13  8.7    194      0.86        77    4.1   139
  2018-05-15  8.4    176      0.85        78    4.2   141
  2018-08-14  8.0    179      0.88        75    4.4   138
  2018-11-13  7.8    164      0.87        76    4.6   140
  2019-02-12  7.6    149      0.90        72    4.0   137
  2019-05-14  7.5    161      0.89        73    4.2   140
  2019-08-13  7.4    149      0.92        70    4.3   139
  2019-11-12  7.3    160      0.91        71    4.5   139
  2020-02-11  7.9    168      0.93        69    4.1   142
  2020-05-26  8.3    171      0.97        66    4.2   138
  2020-08-11  8.1    179      0.95        67    4.4   141
  2020-11-17  7.7    158      0.94        68    4.6   137
  2021-02-16  7.4    164      0.98        64    4.0   140
  2021-05-18  7.2    149      0.99        64    4.3   138
  2021-08-17  7.3    143      0.97        65    4.5   139
  2021-11-16  7.5    163      1.01        62    4.5   142
  2022-02-15  7.8    162      1.0         66    4.7   138
  2022-05-17  8.2    188      1.04        62    4.6   141
  2022-08-16  7.9    170      1.12        57    4.8   137
  2022-11-15  7.4    147      1.09        59    4.7   140
  2023-02-14  7.1    152      1.15        55    4.9   135
  2023-05-16  6.9    137      1.13        56    4.4   139
  2023-08-15  7.0    131      1.10        58    4.6   142
  2023-11-14  6.8    139      1.12        57    4.5   138
  2024-02-13  6.9    133      1.16        54    4.7   141
  2024-05-14  7.1    153      1.14        55    4.8   137
  2024-08-13  7.0    141      1.11        57    4.6   140
  2024-11-12  7.2    138      1.15        54    5.0   136
  2025-02-11  6.9    143      1.17        53    5.40  139
  2025-05-13  6.8    131      1.13        55    4.8   142
  2025-08-12  7.0    151      1.16        54    4.5   138
  2025-11-11  7.3    151      1.18        52    4.7   141
  2026-02-10  7.1    136      1.15        54    4.6   137
  2026-05-12  6.9    144      1.19        52    4.8   140
  2026-08-11  7.0    138      1.17        53    4.4   138`;

const yearly = `
  day         cholesterol  HDL  LDL  triglycerides
  2018-05-15  231          44   149  188
  2019-05-14  204          46   124  171
  2020-05-26  198          45   119  169
  2021-05-18  176          48   98   152
  2022-05-17  181          47   101  166
  2023-05-16  163          51   84   139
  2024-05-14  158          52   79   134
  2025-05-13  161          53   81   135
  2026-05-12  155          54   75   131`;

/** Albumin in the urine, every August. The analyser reports two significant digits as 1.2E+2. */
const albumin = `
  day         ratio
  2018-08-14  18
  2019-08-13  33
  2020-08-11  41
  2021-08-17  58
  2022-08-16  1.2E+2
  2023-08-15  74
  2024-08-13  62
  2025-08-12  55
  2026-08-11  51`;

const rows = (table) =>
  table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));

/** CKD-EPI was revised in 2021, and the laboratory adopted the new equation at the new year. */
const egfr = (day) => (day < '2022' ? 'egfr2009' : 'egfr2021');

/** Returns whether the tubes of a day have Specimen resources, which is the case once a year. */
const keepsTubes = (day) => day.slice(5, 7) === '05';

const reader = { performer: [to(raman), to(mapleRidge)] };
const sent = (day) => at(day, '15:20:41.131');

function quarter(amara, [day, hba1c, fastingGlucose, creatinine, gfr, potassium, sodium]) {
  const drawn = at(day, '07:40');
  const blood =
    keepsTubes(day) &&
    amara.specimen(`${day}-blood`, specimenType.blood, drawn, {
      accessionIdentifier: {
        system: 'https://maple-ridge-laboratory.example.org/accession',
        value: `MR${day.replaceAll('-', '')}-0417`,
      },
    });
  const latest = day === '2026-08-11';
  const results = labs(
    amara,
    day,
    drawn,
    { hba1c, fastingGlucose, creatinine, [egfr(day)]: gfr, potassium, sodium },
    {
      status: latest ? 'preliminary' : 'final',
      issued: sent(day),
      performer: [to(mapleRidge)],
      specimen: blood ? to(blood) : undefined,
    },
  );
  const report = amara.labReport(
    `${day}-metabolic-panel`,
    loinc.metabolicPanel,
    named(results, 'glucose', 'creatinine', 'egfr', 'potassium', 'sodium'),
    {
      status: latest ? 'preliminary' : 'final',
      effectiveDateTime: drawn,
      issued: sent(day),
      ...reader,
      resultsInterpreter: [to(lindholm)],
      specimen: blood ? [to(blood)] : undefined,
    },
  );
  return [blood || [], results, report];
}

function lipids(amara, [day, cholesterol, hdl, ldl, triglycerides]) {
  const drawn = at(day, '07:40');
  const results = labs(
    amara,
    day,
    drawn,
    { cholesterol, hdl, ldl, triglycerides },
    {
      issued: sent(day),
      performer: [to(mapleRidge)],
      specimen: { reference: `Specimen/amara-${day}-blood` },
    },
  );
  return [
    results,
    amara.labReport(`${day}-lipid-panel`, loinc.lipidPanel, results, {
      effectiveDateTime: drawn,
      issued: sent(day),
      ...reader,
    }),
  ];
}

function urine(amara, [day, albuminRatio]) {
  const passed = at(day, '07:55');
  const specimen = amara.specimen(`${day}-urine`, specimenType.urine, passed);
  return [
    specimen,
    labs(
      amara,
      day,
      passed,
      { albuminRatio },
      { issued: sent(day), performer: [to(mapleRidge)], specimen: to(specimen) },
    ),
  ];
}

/** August 2021: a haemolysed tube gave 6.9. The result was withdrawn; the second tube of that morning was normal. */
function spoiledTube(amara) {
  const [spoiled] = labs(
    amara,
    '2021-08-17-spoiled',
    '07:40',
    { potassium: '6.9' },
    {
      status: 'entered-in-error',
      issued: at('2021-08-17', '11:02:10'),
      performer: [to(mapleRidge)],
      note: [{ text: 'Haemolysed. Please disregard; repeated from the second tube.' }],
    },
  );
  return spoiled;
}

/** An HbA1c taken at a health fair. The time was not recorded; only the date of the letter is known. */
const healthFair = (amara) =>
  amara.lab('health-fair-hba1c', analytes.hba1c.code, {
    issued: '2016-10-03T16:00:00-04:00',
    valueQuantity: { ...quantity('10', '%'), comparator: '>=' },
    interpretation: [hl7('v3-ObservationInterpretation', 'H', 'High')],
    performer: [to(mapleRidge)],
  });

export const laboratory = (amara) =>
  [
    rows(quarterly).map((row) => quarter(amara, row)),
    rows(yearly).map((row) => lipids(amara, row)),
    rows(albumin).map((row) => urine(amara, row)),
    spoiledTube(amara),
    healthFair(amara),
  ].flat(Infinity);
