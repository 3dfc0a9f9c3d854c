import { defineConfig } from 'prisma/config'

// `prisma generate` needs no schema engine, yet downloads one; any executable that exists stops that.
// Migrations are applied by database/migrations.ts and compared by scripts/schema.ts.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma' })
