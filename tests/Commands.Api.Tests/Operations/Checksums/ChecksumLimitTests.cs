using System.Net;
using ApexShop.Commands.Api.Operations.Checksums;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Operations.Checksums;

public sealed class ChecksumLimitTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Checksums_of_one_key_leave_connections_for_the_commands()
    {
        const int most = ChecksumLimit.Executing + ChecksumLimit.Waiting;
        await using var holder = await app.Superuser.OpenConnectionAsync();
        await using var transaction = await holder.BeginTransactionAsync();
        await using var hold = new NpgsqlCommand("LOCK TABLE shop.products", holder);
        await hold.ExecuteNonQueryAsync();

        var running = Enumerable.Range(0, most + 1)
            .Select(_ => app.Http.GetAsync("/events/checksums?resource=products")).ToList();
        var refused = await await Task.WhenAny(running);
        var category = await app.CategoryAsync();
        await transaction.RollbackAsync();

        refused.StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        (await refused.Content.ReadAsStringAsync()).ShouldContain("streams.busy");
        category.ShouldBePositive();
        (await Task.WhenAll(running)).Count(response => response.StatusCode == HttpStatusCode.OK).ShouldBe(most);
    }
}
