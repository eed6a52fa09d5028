using System.Net;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Hosting;

public sealed class RefusedDatabaseLoginTests(FewOfEach shop) : IClassFixture<FewOfEach>
{
    [Theory]
    [InlineData("Password=wrong")]
    [InlineData("Username=unknown_role;Password=wrong")]
    [InlineData("Database=no_such_database")]
    // A database without ALLOW_CONNECTIONS.
    [InlineData("Database=template0")]
    public async Task A_refused_login_is_503_like_every_other_unavailable_database(string instead)
    {
        await using var app = new QueriesApp($"{shop.Database.Queries};{instead}");

        await ShouldBeUnavailableAsync(app);
    }

    [Fact]
    public async Task A_role_without_the_right_to_connect_is_the_same()
    {
        await using var app = new QueriesApp(shop.Database.Queries);
        await using var superuser = NpgsqlDataSource.Create(shop.Database.Superuser);
        await using var revoke = superuser.CreateCommand(
            $"REVOKE CONNECT ON DATABASE {shop.Database.Name} FROM queries");
        await revoke.ExecuteNonQueryAsync();
        try
        {
            await ShouldBeUnavailableAsync(app);
        }
        finally
        {
            await using var grant = superuser.CreateCommand(
                $"GRANT CONNECT ON DATABASE {shop.Database.Name} TO queries");
            await grant.ExecuteNonQueryAsync();
        }
    }

    private static async Task ShouldBeUnavailableAsync(QueriesApp app)
    {
        using var http = app.CreateClient();
        foreach (var path in (string[])["products/1", "products", "products/v2?q=chair", "products/stream"])
        {
            using var answer = await http.GetAsync(path);
            await answer.ShouldBeProblemAsync(HttpStatusCode.ServiceUnavailable, "database.unavailable");
        }
    }
}
