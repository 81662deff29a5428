import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CAN_INSTALL, newFolder, outsideEnv, ROOT, ran, run, started, tarballs } from '../testing/outside.ts'

describe.skipIf(!CAN_INSTALL)('npm install -g of the tarballs (needs a registry of packages)', () => {
  const { folder, remove } = newFolder('Dienst')
  const prefix = join(folder, 'prefix')
  const unit = readFileSync(join(ROOT, 'deploy/pb-oel.service'), 'utf8')

  beforeAll(() => {
    const { '@pb-oel/bench': _, ...packed } = tarballs(join(folder, 'tarballs'))
    ran('npm', ['install', '--global', '--prefix', prefix, ...Object.values(packed)], folder)
  })
  afterAll(remove)

  it('serves the dashboard by the command of the systemd unit, and ends well on SIGTERM', async () => {
    const [, command] = unit.match(/^ExecStart=(.*)$/m) ?? []
    writeFileSync(join(folder, 'server.json'), '{ "port": 0 }\n')
    const here = command.replace('/etc/pb-oel', folder).replace('/var/lib/pb-oel', folder)
    const [program, ...args] = here.replaceAll(folder, 'FOLDER').split(' ')
    const env = outsideEnv({ PATH: [join(prefix, 'bin'), outsideEnv().PATH].join(delimiter) })
    const server = started(
      program,
      args.map((arg) => arg.replaceAll('FOLDER', folder)),
      folder,
      env,
    )
    const url = await server.says(/listens on (http\S+)/)
    expect(await (await fetch(url)).text()).toContain('<title>pb-oel')
    server.end('SIGTERM')
    await server.ended
    expect(server.said.join('')).toContain('saving states')
  })

  const analyse = run('systemd-analyze', ['--version'], ROOT).status === 0
  it.skipIf(!analyse)('has a unit that systemd accepts and finds well locked (needs systemd-analyze)', () => {
    const { stderr } = run('systemd-analyze', ['verify', '--man=no', 'deploy/pb-oel.service'], ROOT)
    expect(stderr.split('\n').filter((line) => line.includes('pb-oel.service'))).toEqual([])
    const { stdout } = run('systemd-analyze', ['security', '--offline=true', 'deploy/pb-oel.service'], ROOT)
    const [, exposure] = stdout.match(/exposure level for pb-oel\.service: ([\d.]+)/) ?? []
    expect(Number(exposure)).toBeLessThan(4)
  })
})
