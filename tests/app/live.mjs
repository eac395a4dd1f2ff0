import { open, loaded } from './browser.mjs';
import { mkdirSync } from 'node:fs';
const out='/tmp/shots'; mkdirSync(out,{recursive:true});
const stage = await open();
const press=(page)=>page.getByRole('button',{name:/^Sign in and choose/}).and(page.locator(':enabled')).click();
for (const [size,theme] of [['desktop','light'],['phone','dark']]) {
  const person = await stage.person({size,theme}); const page = await person.page();
  const shot=async(n,full=true)=>{ if(full)await page.evaluate(()=>{const s=new CSSStyleSheet();s.replaceSync('*{content-visibility:visible!important}.top,.index{position:static!important}');document.adoptedStyleSheets=[s]}); await page.waitForTimeout(250); await page.screenshot({path:`${out}/${n}-${size}-${theme}.png`,fullPage:full}); };
  await page.goto('/#/'); await loaded(page); await page.waitForTimeout(500); await shot('home');
  await page.goto('/#/ehr'); await loaded(page); await shot('ehr');
  await page.goto('/sandbox.html'); await loaded(page); await shot('sandbox');
  await page.goto('/#/reference'); await loaded(page); await page.locator('.operation summary').nth(3).click(); await shot('reference');
  await page.goto('/#/checks'); await loaded(page); await page.getByRole('button',{name:/^Run/}).click(); await page.waitForFunction(()=>/skipped\.$/.test(document.querySelector('main [role=status]')?.textContent.trim()??'')); await shot('checks');
  await page.goto('/#/search'); await loaded(page); await page.getByRole('button',{name:/backend token/}).click(); await page.waitForTimeout(600); await page.getByRole('button',{name:'Run both'}).click(); await page.waitForSelector('.difference'); await shot('search');
  await page.goto('/#/launch/patient'); await loaded(page); await shot('launch'); 
  await press(page); await page.locator('input[type=password]').waitFor(); await page.locator('input[type=text]').fill('amara'); await page.locator('input[type=password]').fill('amara-sandbox'); await page.getByRole('button',{name:'Sign in'}).click();
  await page.locator('input[value="patient/Immunization.read"]').uncheck(); await shot('consent'); await page.locator('button[value=allow]').click();
  await page.waitForURL(/callback/); await page.waitForTimeout(500); await shot('callback',false);
  await page.waitForURL(/chart/); await page.waitForTimeout(500); await loaded(page); await shot('chart');
  await page.goto('/#/session'); await page.waitForFunction(()=>document.querySelectorAll('section .steps').length===2); await shot('session');
  await page.goto('/#/chart/amara-okafor'); await loaded(page); await page.locator('#reports .detail button').first().click(); await page.waitForTimeout(300); await shot('drawer',false);
  await page.keyboard.press('Escape'); await page.locator('header.top').getByRole('button',{name:/^Requests/}).click(); await page.locator('.exchange summary').first().click(); await shot('requests',false);
  await page.goto('/#/chart/amara-okafor/timeline'); await loaded(page); await page.waitForTimeout(800); await shot('timeline',false);
}
await stage.close();
