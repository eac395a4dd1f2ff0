// The agreement of wrangler.toml and jobs/wrangler.toml: the Worker that answers requests and the one that does the
// jobs are one version over the same records.

/// The variables that decide what a job does. Each that one file sets, the other sets too, to the same.
const OF_JOBS = ['ORIGIN', 'ENVIRONMENT', 'ATTACHMENT_BASE_URL', 'INDEX', 'STORE', 'TRUSTED_ISSUERS', 'EXPORT_HOURS'];

/// The kinds of bindings that both have, with what of a binding is compared.
const BINDINGS = {
  d1_databases: ['database_name', 'database_id', 'preview_database_id'],
  kv_namespaces: ['id'],
  r2_buckets: ['bucket_name'],
  analytics_engine_datasets: ['dataset'],
};

/// The bindings of a kind, by name.
const byName = (all = [], members) =>
  new Map(all.map((one) => [one.binding, JSON.stringify(members.map((member) => one[member] ?? null))]));

/// The names that two maps do not have in common, with the same value.
const differing = (one, other) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));

/// The queues of producers, by binding.
const producers = ({ queues }) => new Map((queues?.producers ?? []).map(({ binding, queue }) => [binding, queue]));
const consumed = ({ queues }) => (queues?.consumers ?? []).map(({ queue }) => queue);
const services = ({ tail_consumers: all }) => (all ?? []).map(({ service }) => service).sort();

/// Says in sentences in what the settings of both Workers do not agree, as wrangler reads them for one environment.
export function disagreements(main, jobs) {
  const said = [];
  const variables = ({ vars }, names) =>
    new Map(names.filter((name) => name in vars).map((name) => [name, vars[name]]));
  for (const name of differing(variables(main, OF_JOBS), variables(jobs, OF_JOBS))) said.push(`the variable ${name}`);
  for (const [kind, members] of Object.entries(BINDINGS)) {
    const names = differing(byName(main[kind], members), byName(jobs[kind], members));
    for (const name of names) said.push(`the binding ${name} (${kind})`);
  }
  for (const name of differing(producers(main), producers(jobs))) said.push(`the producer ${name}`);
  if (main.compatibility_date !== jobs.compatibility_date) said.push('compatibility_date');
  if (services(main).join() !== services(jobs).join()) said.push('tail_consumers');
  const texts = said.map((what) => `${what} is not the same in wrangler.toml and jobs/wrangler.toml`);
  for (const name of Object.keys(jobs.vars).filter((name) => !OF_JOBS.includes(name)))
    texts.push(`the variable ${name} of jobs/wrangler.toml means nothing to jobs`);
  if (consumed(main).length > 0)
    texts.push('a queue has one consumer, which jobs/wrangler.toml names, and not wrangler.toml');
  for (const queue of producers(jobs).values())
    if (!consumed(jobs).includes(queue)) texts.push(`jobs/wrangler.toml has no consumer of ${queue}`);
  if ((main.triggers?.crons ?? []).length > 0) texts.push('the cron trigger is that of jobs/wrangler.toml alone');
  if ((jobs.triggers?.crons ?? []).length === 0) texts.push('jobs/wrangler.toml has no cron trigger');
  if (jobs.workers_dev !== false || jobs.preview_urls !== false || jobs.route || jobs.routes?.length > 0)
    texts.push('the Worker of jobs/wrangler.toml has no address');
  return texts;
}
