using Npgsql;

namespace ApexShop.Queries.Api.Tests.Reading;

/// <summary>The database role permits nothing that this process must not do.</summary>
public sealed class QueriesRoleTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory]
    [InlineData("INSERT INTO read.products (id, version, revision) VALUES (99, 1, 1)")]
    [InlineData("UPDATE read.products SET version = 9")]
    [InlineData("DELETE FROM read.orders")]
    [InlineData("TRUNCATE read.users")]
    [InlineData("UPDATE read.projection_state SET epoch = 9")]
    [InlineData("CREATE TABLE read.mine (id int)")]
    [InlineData("CREATE TABLE public.mine (id int)")]
    [InlineData("CREATE SCHEMA mine")]
    [InlineData("CREATE TEMPORARY TABLE mine (id int)")]
    public async Task Cannot_change_anything(string sql)
    {
        (await RefusalAsync(sql)).ShouldBe(PostgresErrorCodes.ReadOnlySqlTransaction);
        // The read-only default can be switched off, the missing privilege cannot.
        var refusal = await RefusalAsync($"SET default_transaction_read_only = off; COMMIT; {sql}");
        refusal.ShouldBe(PostgresErrorCodes.InsufficientPrivilege);
    }

    [Fact]
    public async Task Cannot_read_the_write_side()
    {
        await using (var owner = new NpgsqlConnection(shop.Database.ShopOwner))
        {
            await owner.OpenAsync();
            await using var create = new NpgsqlCommand("CREATE TABLE shop.secrets (id int)", owner);
            await create.ExecuteNonQueryAsync();
        }

        (await RefusalAsync("SELECT * FROM shop.secrets")).ShouldBe(PostgresErrorCodes.InsufficientPrivilege);
    }

    private async Task<string> RefusalAsync(string sql)
    {
        await using var connection = new NpgsqlConnection(shop.Database.Queries);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection);
        return (await Should.ThrowAsync<PostgresException>(() => command.ExecuteNonQueryAsync())).SqlState;
    }
}
