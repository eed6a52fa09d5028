using Npgsql;

namespace ApexShop.Commands.Api.Tests.Persistence;

public sealed class RoleTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Theory]
    [InlineData("SELECT * FROM read.products")]
    [InlineData("CREATE TABLE read.mine (id int)")]
    [InlineData("UPDATE shop.events SET version = 2")]
    [InlineData("DELETE FROM shop.events")]
    [InlineData("TRUNCATE shop.events")]
    [InlineData("TRUNCATE shop.outbox")]
    [InlineData("UPDATE shop.idempotency_keys SET answer = '{}'")]
    [InlineData("TRUNCATE shop.idempotency_keys")]
    [InlineData("CREATE TABLE shop.mine (id int)")]
    [InlineData("DROP TABLE shop.outbox")]
    [InlineData("DELETE FROM shop.\"__EFMigrationsHistory\"")]
    public async Task The_database_refuses_what_is_not_the_commands_business(string sql)
    {
        await using var commands = NpgsqlDataSource.Create(app.Database.Commands);
        await using var command = commands.CreateCommand(sql);

        var refused = await Should.ThrowAsync<PostgresException>(() => command.ExecuteNonQueryAsync());

        refused.SqlState.ShouldBe(PostgresErrorCodes.InsufficientPrivilege);
    }

    [Fact]
    public async Task The_log_can_be_read_and_appended_to()
    {
        await using var commands = NpgsqlDataSource.Create(app.Database.Commands);
        await using var command = commands.CreateCommand(
            """
            INSERT INTO shop.events (position, previous, event_id, type, resource, aggregate_id, version, time, data)
            VALUES (1, 0, shop.uuid_v7(), 't', 'products', 1, 1, now(), '{}') RETURNING position
            """);

        (await command.ExecuteScalarAsync()).ShouldBe(1L);
    }
}
