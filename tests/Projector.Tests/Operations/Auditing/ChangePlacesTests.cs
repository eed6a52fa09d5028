using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Tests.Operations.Auditing;

/// <summary>The places of read.changes that do not agree with the documents.</summary>
public sealed class ChangePlacesTests(ReadStore store) : AuditTest(store)
{
    private NpgsqlDataSource database = null!;
    private ChangeFollower client = null!;

    public override async Task InitializeAsync()
    {
        await base.InitializeAsync();
        database = NpgsqlDataSource.Create(Store.Database.Queries);
        client = new ChangeFollower(database);
        await ShopAsync();
        await client.ReadAsync();
    }

    public override async Task DisposeAsync()
    {
        await database.DisposeAsync();
        await base.DisposeAsync();
    }

    [Theory]
    [InlineData("DELETE FROM read.changes WHERE kind = 'products' AND id = 4", "products/4")]
    [InlineData("DELETE FROM read.changes WHERE kind = 'reviews' AND id = 9", "reviews/9")]
    [InlineData("UPDATE read.changes SET revision = revision - 1 WHERE kind = 'users' AND id = 4", "users/4")]
    [InlineData("UPDATE read.changes SET revision = revision + 1 WHERE kind = 'orders' AND id = 7", "orders/7")]
    [InlineData(
        "UPDATE read.changes SET revision = 5000000000000000 WHERE kind = 'categories' AND id = 1", "categories/1")]
    [InlineData(
        """
        UPDATE read.changes SET revision = 7000000000000000 WHERE kind = 'products' AND id = 8;
        UPDATE read.products SET revision = 7000000000000000 WHERE id = 8
        """,
        "products/8")]
    [InlineData("UPDATE read.products SET revision = 5 WHERE id = 1027", "products/1027")]
    [InlineData("INSERT INTO read.changes (kind, id, revision) VALUES ('orders', 9000, 5)", "orders/9000")]
    [InlineData("INSERT INTO read.changes (kind, id, revision) VALUES ('orders', -9000, 5)", "orders/-9000")]
    public async Task A_wrong_place_is_reported_and_becomes_the_last_one(string harm, string document)
    {
        await Store.ExecuteAsync(harm);
        // After a place above the sequence the client has a cursor above it too.
        await client.ReadAsync();

        (await AuditAsync()).Texts.ShouldBe([$"{document} sideTable"]);
        var repaired = await AuditAsync(repair: true);

        repaired.Differences.ShouldHaveSingleItem().Repaired.ShouldBe(true);
        (await AuditAsync()).Texts.ShouldBeEmpty();
        (await client.ReadAsync()).ShouldBe([document]);
        await Projector.ApplyAsync(History.Category(1, "Written after it"));
        (await client.ReadAsync()).ShouldContain("categories/1");
        client.Documents.ShouldBe(await Store.LivingAsync());
    }

    [Fact]
    public async Task A_document_that_healing_removed_is_no_difference_and_one_that_vanished_is()
    {
        foreach (var id in (int[])[90, 91])
        {
            await Store.ExecuteAsync($"""
                INSERT INTO read.users (id, version, first_name, last_name, data, body)
                SELECT {id}, version, first_name, last_name, data, body FROM read.users WHERE id = 1;
                INSERT INTO read.changes SELECT 'users', id, revision FROM read.users WHERE id = {id}
                """);
        }

        await client.ReadAsync();
        await Projector.Healer.HealAsync(Resource.Users.Name, [90], CancellationToken.None);
        await Store.ExecuteAsync("DELETE FROM read.users WHERE id = 91");

        (await AuditAsync()).Texts.Where(text => text.StartsWith("users/9", StringComparison.Ordinal))
            .ShouldBe(["users/91 sideTable"]);
        await AuditAsync(repair: true);

        (await AuditAsync()).Texts.ShouldBeEmpty();
        await client.ReadAsync();
        client.Documents.ShouldBe(await Store.LivingAsync());
    }

    [Fact]
    public async Task Documents_of_a_Projector_that_writes_no_places_get_them_by_a_repair()
    {
        await Store.ExecuteAsync("CREATE TABLE read.places_before AS TABLE read.changes");
        for (var id = 1; id <= 8; id++) History.Product(id, $"Changed {id}", category: 1);
        for (var id = 2000; id < 2600; id++) History.Product(id, $"New {id}", category: 2);
        History.Delete(Resource.Orders.Name, 5);
        History.Category(2, "Renamed");
        await ProjectAsync();
        // Its revisions are positions of the log, and the places are those from before.
        await Store.ExecuteAsync($"""
            {string.Join(' ', Resource.Names.Select(kind => $"""
                UPDATE read.{kind} AS t SET revision = 700 FROM read.changes AS c
                WHERE c.kind = '{kind}' AND c.id = t.id AND NOT EXISTS (SELECT FROM read.places_before AS b
                    WHERE b.kind = c.kind AND b.id = c.id AND b.revision = c.revision);
                """))}
            DELETE FROM read.changes;
            INSERT INTO read.changes SELECT * FROM read.places_before;
            DROP TABLE read.places_before
            """);
        (await client.ReadAsync()).ShouldBeEmpty();

        (await AuditAsync()).Summary.Different.ShouldBeGreaterThan(609);
        (await AuditAsync(repair: true)).Summary.Remaining.Values.Sum().ShouldBe(0);

        (await AuditAsync()).Texts.ShouldBeEmpty();
        await client.ReadAsync();
        client.Documents.ShouldBe(await Store.LivingAsync());
    }
}
