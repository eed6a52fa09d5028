using ApexShop.Caching;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;
using Npgsql;

namespace ApexShop.Projector.Tests.Projecting;

/// <summary>
/// Names that very many documents show: other events are applied between the transactions that write these documents.
/// </summary>
public sealed class NameRefresherTests(ReadStore store) : ProjectorTest(store)
{
    private const int Most = 500;
    private const int Many = Most + 300;

    // More than the documents of three transactions.
    private const int Several = 1_300;

    // Of the entity tag of a document of the category.
    private static readonly string Tag =
        FormattableString.Invariant($"SELECT {PendingNames.Revision("products")} FROM read.products WHERE id = {Many}");

    private const string FirstRevision = "SELECT revision FROM read.products WHERE id = 1";

    // Of a category named "Old": its products have the ids from 1 on. The last one is of another category.
    private async Task LargeCategoryAsync(int products = Many)
    {
        await Projector.ApplyAsync(History.Category(7, "Old"), History.Category(70, "Other"));
        await Projector.ApplyAsync(
            [.. Enumerable.Range(1, products).Select(id => History.Product(id, $"Pen {id}", category: 7))]);
        await Projector.ApplyAsync(History.Product(5_000, "Ink", category: 70));
    }

    [Fact]
    public async Task Every_query_shows_the_new_name_at_once_and_the_documents_get_it_in_parts()
    {
        await LargeCategoryAsync(Several);
        await Projector.ApplyAsync(History.Category(7, "New"));

        (await CountAsync("Old")).ShouldBe(Several);
        (await Store.ShownAsync()).ShouldBe(Expected());
        var transactions = 0;
        while (await Projector.Names.RefreshNextAsync(CancellationToken.None))
        {
            transactions++;
            (await Store.ShownAsync()).ShouldBe(Expected());
        }

        transactions.ShouldBeGreaterThan(3);
        await ShouldBeDoneAsync();
    }

    [Theory]
    [InlineData(4, 500)]
    [InlineData(80, 100)]
    [InlineData(1_000, 50)]
    public async Task The_next_transaction_has_as_many_documents_as_the_time_of_the_last_one_allows(
        int milliseconds, int documents)
    {
        await LargeCategoryAsync(Several);
        await Projector.ApplyAsync(History.Category(7, "New"));
        await using var timed = new TestProjector(
            Store.Database.Projector,
            History,
            clockOfNames: new SteppingClock(TimeSpan.FromMilliseconds(milliseconds)));

        await timed.Names.RefreshNextAsync(CancellationToken.None);
        (await CountAsync("Old")).ShouldBe(Several - 200);
        await timed.Names.RefreshNextAsync(CancellationToken.None);
        (await CountAsync("Old")).ShouldBe(Several - 200 - documents);
    }

    [Fact]
    public async Task Documents_that_have_the_name_already_are_passed_in_parts_too()
    {
        const int Last = 2_600;
        await LargeCategoryAsync(Last);
        await Projector.ApplyAsync(History.Category(7, "New"));
        await Store.ExecuteAsync(
            $"UPDATE read.products SET revision = nextval('read.revisions') WHERE id > 1 AND id < {Last}");

        await NextAsync();
        (await NamesAsync()).ShouldBe(["New", "Old"]);
        await NextAsync();
        (await NamesAsync()).ShouldBe(["New", "New"]);
        (await PendingAsync()).ShouldBe(0);

        Task<string[]> NamesAsync() => Store.ScalarAsync<string[]>($"""
            SELECT array_agg(data -> 'category' ->> 'name' ORDER BY id) FROM read.products WHERE id IN (1, {Last})
            """);
    }

    [Fact]
    public async Task So_few_documents_are_written_in_the_transaction_of_the_name()
    {
        await LargeCategoryAsync(Most);
        await Projector.ApplyAsync(History.Category(7, "New"));

        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task Other_changes_in_between_are_kept_and_a_second_name_replaces_the_first()
    {
        await LargeCategoryAsync();
        await Projector.ApplyAsync(History.Category(7, "First"), History.Category(70, "Else"));
        await NextAsync();
        await Projector.ApplyAsync(
            History.Product(1, "Written before", category: 70),
            History.Product(2, "Written in the category", category: 7),
            History.Product(Many, "Not written, moved", category: 70),
            History.Product(Many - 1, "Not written", category: 7),
            History.Product(5_000, "Moved to it", category: 7),
            History.Delete(Resource.Products.Name, 3),
            History.Delete(Resource.Products.Name, Many - 2));
        (await Store.ShownAsync()).ShouldBe(Expected());

        await Projector.ApplyAsync(History.Category(7, "Second"));
        await NextAsync();
        (await Store.ShownAsync()).ShouldBe(Expected());
        await Projector.ApplyAsync(
            History.Product(4, "Again", category: 7), History.Product(6_000, "New", category: 7));
        await Projector.ApplyAsync(History.Category(70, "Once more"));

        await AllAsync();
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task A_name_of_few_documents_replaces_one_that_is_pending()
    {
        await LargeCategoryAsync();
        await Projector.ApplyAsync(History.Category(7, "First"));
        await Projector.ApplyAsync(
            [.. Enumerable.Range(1, Many - 2).Select(id => History.Delete(Resource.Products.Name, id))]);
        (await Store.ShownAsync()).ShouldBe(Expected());

        await Projector.ApplyAsync(History.Category(7, "Second"));
        (await Store.ShownAsync()).ShouldBe(Expected());

        await AllAsync();
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task A_name_that_is_changed_back_is_written_again_so_that_caches_and_copies_get_it()
    {
        await LargeCategoryAsync();
        await Projector.ApplyAsync(History.Category(7, "New"));
        var (segments, revision) = (await VersionsAsync(), await Store.ScalarAsync<long>(Tag));
        await Projector.ApplyAsync(
            [.. Enumerable.Range(1, Many - 2).Select(id => History.Delete(Resource.Products.Name, id))]);
        await Projector.ApplyAsync(History.Category(7, "Old"));

        (await VersionsAsync()).ShouldAllBe(one => long.Parse(one.Value) > long.Parse(segments[one.Key]));
        var back = await Store.ScalarAsync<long>(Tag);
        back.ShouldBeGreaterThan(revision);
        await AllAsync();
        (await Store.ScalarAsync<long>(Tag)).ShouldBeGreaterThan(back);
        (await Store.ScalarAsync<long>($"SELECT revision FROM read.changes WHERE kind = 'products' AND id = {Many}"))
            .ShouldBeGreaterThan(back);
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task A_repeated_event_and_a_deleted_category_show_what_is_valid()
    {
        await LargeCategoryAsync();
        var first = History.Category(7, "First");
        await Projector.ApplyAsync(first);
        await Projector.ApplyAsync(History.Category(7, "Second"));
        await NextAsync();
        var (left, revision) = (await CountAsync("Old"), await Store.ScalarAsync<long>(FirstRevision));
        await Store.ExecuteAsync("UPDATE read.checkpoints SET position = 0");
        await Projector.ApplyAsync(first);
        (await Store.ShownAsync()).ShouldBe(Expected());
        await NextAsync();
        (await CountAsync("Old")).ShouldBeLessThan(left);
        (await Store.ScalarAsync<long>(FirstRevision)).ShouldBe(revision, "the same name is not written twice");

        await Projector.ApplyAsync(History.Delete(Resource.Categories.Name, 7));
        (await Store.ShownAsync()).ShouldBe(Expected());
        await AllAsync();
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task Reviews_show_the_new_names_of_their_product_and_author_and_orders_that_of_their_customer()
    {
        await Projector.ApplyAsync(History.User(5, "Ann", "Lee"));
        await Projector.ApplyAsync(History.Product(10, "Lamp"));
        await Projector.ApplyAsync([.. Enumerable.Range(1, Many).Select(id => History.Review(id, 10, 5, 4))]);
        await Projector.ApplyAsync(
            [.. Enumerable.Range(1, Many).Select(id => History.Order(id, 5, "Pending", (10, 1, 2m)))]);

        await Projector.ApplyAsync(History.Product(10, "Light"));
        await NextAsync();
        await Projector.ApplyAsync(History.User(5, "\u00c9va", "Ray"));
        (await PendingAsync()).ShouldBe(3);
        (await Store.ShownAsync()).ShouldBe(Expected());
        await NextAsync();
        (await Store.ShownAsync()).ShouldBe(Expected());

        await AllAsync();
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task A_last_name_with_the_same_first_letter_changes_no_review()
    {
        await Projector.ApplyAsync(History.User(5, "Ann", "Lee"));
        await Projector.ApplyAsync([.. Enumerable.Range(1, Many).Select(id => History.Review(id, 10, 5, 4))]);
        await Projector.ApplyAsync(History.User(5, "Ann", "Long"));

        await ShouldBeDoneAsync();
    }

    [Theory]
    [InlineData("ff")]
    [InlineData("00")]
    public async Task A_damaged_body_does_not_keep_others_from_being_read(string character)
    {
        const string Name = "\u00c9toile";
        await LargeCategoryAsync();
        await Store.ExecuteAsync($"UPDATE read.products SET body = body || '\\x{character}' WHERE id = {Many}");
        await Projector.ApplyAsync(History.Category(7, Name));

        (await Store.ScalarAsync<long>($"""
            SELECT count(*) FROM read.products
            WHERE id < {Many} AND position(convert_to('{Name}', 'UTF8') IN {PendingNames.Body("products")}) > 0
            """)).ShouldBe(Many - 1);
        var damaged = await Store.ScalarAsync<byte[]>(
            $"SELECT {PendingNames.Body("products")} FROM read.products WHERE id = {Many}");
        damaged[^1].ShouldBe(Convert.FromHexString(character)[0]);
    }

    [Theory]
    [InlineData("Old\" } \\ \\1 \\& {")]
    [InlineData("\\")]
    [InlineData("\\\"\\")]
    [InlineData("\u00fc\U0001F40E\n\t'; \u0001")]
    [InlineData("$1 (?:a|b)* [^\"]")]
    public async Task A_name_may_have_any_character(string name)
    {
        await LargeCategoryAsync();
        await Projector.ApplyAsync(
            History.Product(1, "\"category\":{\"id\":7,\"name\":\"Old\"}", category: 7),
            History.Product(2, "Pen", category: 7, description: "\"category\":{\"id\":7,\"name\":\"Old\"}"),
            History.Product(3, "Pen", category: 70, description: "{\"category\":{\"id\":7,\"name\":null}}"));
        await Projector.ApplyAsync(History.Category(7, name));
        (await Store.ShownAsync()).ShouldBe(Expected());
        await Projector.ApplyAsync(History.Category(7, $"{name} again"));
        await NextAsync();
        (await Store.ShownAsync()).ShouldBe(Expected());

        await AllAsync();
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task Segments_change_with_the_name_and_revisions_also_with_each_document()
    {
        await LargeCategoryAsync();
        var before = await VersionsAsync();
        await Projector.ApplyAsync(History.Category(7, "New"));
        var pending = await VersionsAsync();
        pending.Keys.ShouldBe(before.Keys);
        pending.ShouldAllBe(one => long.Parse(one.Value) > long.Parse(before[one.Key]));
        (await Store.ScalarAsync<string[]>("SELECT pending_tags FROM read.projection_state"))
            .ShouldBe([CacheTags.Everything]);

        await Store.ExecuteAsync("UPDATE read.projection_state SET pending_tags = '{}'");
        await NextAsync();
        (await VersionsAsync()).ShouldBe(pending, "the documents show the same as before");
        (await Store.ScalarAsync<string[]>("SELECT pending_tags FROM read.projection_state"))
            .ShouldBe([CacheTags.Collection("products")], "the pages of changes are other ones");
        (await Store.ScalarAsync<long>($"SELECT {PendingNames.Revision("products")} FROM read.products WHERE id = 1"))
            .ShouldBeGreaterThan(await Store.ScalarAsync<long>("SELECT revision FROM read.pending_names"));
    }

    [Fact]
    public async Task Another_projector_continues_after_the_last_written_document()
    {
        await LargeCategoryAsync();
        await Projector.ApplyAsync(History.Category(7, "New"));
        await NextAsync();
        var left = await CountAsync("Old");
        await using var second = new TestProjector(Store.Database.Projector, History);

        await second.Names.RefreshNextAsync(CancellationToken.None);

        (await CountAsync("Old")).ShouldBeInRange(1, left - 1);
        await Task.WhenAll(AllAsync(), second.RefreshNamesAsync());
        await ShouldBeDoneAsync();
    }

    [Theory]
    [InlineData("UPDATE read.pending_names SET revision = nextval('read.revisions')")]
    [InlineData("UPDATE read.projection_state SET epoch = epoch + 1")]
    public async Task Nothing_is_written_while_another_name_or_other_tables_replace_it(string replacement)
    {
        await LargeCategoryAsync();
        await Projector.ApplyAsync(History.Category(7, "New"));
        await NextAsync();
        var left = await CountAsync("Old");
        await HoldWhileAsync([Projector], replacement);

        (await CountAsync("Old")).ShouldBe(left);
        (await PendingAsync()).ShouldBe(1);
        await AllAsync();
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task Two_projectors_share_the_documents()
    {
        await LargeCategoryAsync();
        await Projector.ApplyAsync(History.Category(7, "New"));
        await using var second = new TestProjector(Store.Database.Projector, History);
        await HoldWhileAsync([Projector, second], "SELECT");

        (await CountAsync("Old")).ShouldBe(Many - 400);
    }

    [Fact]
    public async Task A_document_that_the_database_refuses_does_not_keep_others_from_being_written()
    {
        await LargeCategoryAsync();
        await Store.ExecuteAsync(
            "UPDATE read.products SET body = replace(body::text, '50656e2035', '5c7530303030')::bytea WHERE id = 5");
        await Projector.ApplyAsync(History.Category(7, "New"));
        await AllAsync();

        (await PendingAsync()).ShouldBe(0);
        (await CountAsync("Old")).ShouldBe(1);
        await Projector.Healer.HealAsync(Resource.Products.Name, [5], CancellationToken.None);
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task Each_document_shows_the_name_of_its_own_category_however_many_are_pending()
    {
        int[] categories = [2, 7, 70, 700];
        await Projector.ApplyAsync([.. categories.Select(id => History.Category(id, $"Old {id}"))]);
        foreach (var category in categories)
        {
            await Projector.ApplyAsync(
                [.. Enumerable.Range(1, Many).Select(n => History.Product(category * 1000 + n, "Pen", category))]);
        }

        await Projector.ApplyAsync([.. categories.Select(id => History.Category(id, $"New {id}"))]);

        (await PendingAsync()).ShouldBe(categories.Length);
        (await CountAsync("Old 7")).ShouldBe(Many);
        (await Store.ShownAsync()).ShouldBe(Expected());
        await AllAsync();
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task Names_of_few_documents_each_are_pending_too_when_they_have_many_together()
    {
        int[] categories = [2, 7, 70];
        await Projector.ApplyAsync([.. categories.Select(id => History.Category(id, $"Old {id}"))]);
        foreach (var category in categories)
        {
            var products = Enumerable.Range(1, 200 + category);
            await Projector.ApplyAsync(
                [.. products.Select(n => History.Product(category * 1000 + n, "Pen", category))]);
        }

        await Projector.ApplyAsync([.. categories.Select(id => History.Category(id, $"New {id}"))]);

        // 202 and 207 products are written at once; with the 270 of the third category they would be more than 500.
        (await CountAsync("Old 2")).ShouldBe(0);
        (await CountAsync("Old 7")).ShouldBe(0);
        (await CountAsync("Old 70")).ShouldBe(270);
        (await Store.ShownAsync()).ShouldBe(Expected());
        await AllAsync();
        await ShouldBeDoneAsync();
    }

    [Fact]
    public async Task So_many_names_are_pending_and_the_documents_of_others_are_written_at_once()
    {
        await LargeCategoryAsync();
        await Store.ExecuteAsync($"""
            INSERT INTO read.pending_names (kind, member, key, reference) SELECT 'products', 'category', -key, ''
            FROM generate_series(1, {PendingName.Most}) AS key
            """);
        await Projector.ApplyAsync(History.Category(7, "New"));

        (await CountAsync("Old")).ShouldBe(0);
    }

    [Fact]
    public async Task A_rebuild_takes_the_names_of_the_log_and_leaves_none_pending()
    {
        await LargeCategoryAsync();
        await Projector.ApplyAsync(History.Category(7, "New"));
        await NextAsync();

        var rebuild = await Projector.RebuildAsync();

        rebuild.State.ShouldBe(RebuildState.Done);
        rebuild.Documents.Values.Sum(kind => kind.Differing).ShouldBe(0);
        await ShouldBeDoneAsync();
    }

    private async Task NextAsync() => (await Projector.Names.RefreshNextAsync(CancellationToken.None)).ShouldBeTrue();

    // Each Projector has looked for a name and waits for the lock when the statement runs.
    private async Task HoldWhileAsync(TestProjector[] projectors, string statement)
    {
        await using var held = await Store.HoldAsync();
        Task[] refreshes = [.. projectors.Select(one => one.Names.RefreshNextAsync(CancellationToken.None))];
        await Store.HeldUpAsync(projectors.Length);
        await using var command = new NpgsqlCommand($"{statement}; COMMIT", held);
        await command.ExecuteNonQueryAsync();
        await Task.WhenAll(refreshes);
    }

    private Task AllAsync() => Projector.RefreshNamesAsync();

    private SortedDictionary<string, string> Expected() => new Recomputation(History.Entries).Living();

    private async Task ShouldBeDoneAsync()
    {
        (await PendingAsync()).ShouldBe(0);
        (await Store.LivingAsync()).ShouldBe(Expected());
        (await Store.TornRowsAsync()).ShouldBe(0);
        (await Store.WrongAsidesAsync()).ShouldBe(0);
    }

    private Task<SortedDictionary<string, string>> VersionsAsync() => Store.PairsAsync(
        $"""
        SELECT s.segment::text, (s.version + coalesce(a.version, 0))::text
        FROM read.segments s LEFT JOIN read.segments a ON (a.kind, a.segment) = (s.kind, {ReadTables.AllSegments})
        WHERE s.kind = 'products' AND s.segment > {ReadTables.AllSegments}
        """);

    private Task<long> PendingAsync() => Store.ScalarAsync<long>("SELECT count(*) FROM read.pending_names");

    private Task<long> CountAsync(string category) => Store.ScalarAsync<long>(
        $"SELECT count(*) FROM read.products WHERE data -> 'category' ->> 'name' = '{category}'");
}
