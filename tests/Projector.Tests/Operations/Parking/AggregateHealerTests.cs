using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations;
using ApexShop.Projector.Operations.Parking;
using ApexShop.Projector.Tests.Harness;
using ApexShop.ReadModels;
using ApexShop.Resources;
using ApexShop.TestKit;

namespace ApexShop.Projector.Tests.Operations.Parking;

public sealed class AggregateHealerTests(ReadStore store) : ProjectorTest(store)
{
    [Theory]
    [InlineData("products/10", "DELETE FROM read.products WHERE id = 10")]
    [InlineData("products/10", "UPDATE read.products SET body = '\\x7b' WHERE id = 10")]
    [InlineData("products/10", "UPDATE read.products SET body = NULL WHERE id = 10")]
    [InlineData("products/10", "UPDATE read.products SET body = convert_to('null', 'UTF8') WHERE id = 10")]
    [InlineData("products/10", "UPDATE read.products SET body = p.body, data = p.data FROM read.products p WHERE "
        + "products.id = 10 AND p.id = 11")]
    [InlineData("products/10", "UPDATE read.products SET data = '{}' WHERE id = 10")]
    [InlineData("products/10", "UPDATE read.products SET version = 99 WHERE id = 10")]
    [InlineData("products/10", "UPDATE read.products SET version = 1 WHERE id = 10")]
    [InlineData("products/10", "UPDATE read.products SET is_deleted = true WHERE id = 10")]
    [InlineData(
        "products/10",
        "UPDATE read.products SET is_deleted = true, body = NULL, data = NULL, version = 7 WHERE id = 10")]
    [InlineData(
        "products/10",
        "UPDATE read.products SET price = 1, stock = 0, name = 'x', rating = 5, is_active = false WHERE id = 10")]
    [InlineData("products/10", "UPDATE read.products SET category_id = 2 WHERE id = 10")]
    [InlineData(
        "products/10",
        """
        DELETE FROM read.product_ratings WHERE product_id = 10;
        DELETE FROM read.product_changes WHERE product_id = 10
        """)]
    [InlineData(
        "products/10",
        """
        UPDATE read.product_words SET words = 'x' WHERE product_id = 10;
        UPDATE read.product_ratings SET average = 1 WHERE product_id = 10
        """)]
    [InlineData("products/10", "UPDATE read.segments SET document_count = 77 WHERE kind = 'products'")]
    [InlineData("products/10", "DELETE FROM read.segments WHERE kind = 'products'; DELETE FROM read.category_segments")]
    [InlineData("products/12", "DELETE FROM read.products WHERE id = 12")]
    [InlineData(
        "products/12",
        """
        UPDATE read.products t
        SET is_deleted = false, version = 1, body = p.body, data = p.data, name = p.name, category_id = 2
        FROM read.products p WHERE t.id = 12 AND p.id = 11;
        INSERT INTO read.product_ratings VALUES (12, 3)
        """)]
    [InlineData(
        "categories/1",
        """
        UPDATE read.category_segments SET product_count = 9 WHERE category_id = 1;
        UPDATE read.categories SET body = '\x' WHERE id = 1
        """)]
    [InlineData("categories/1", "DELETE FROM read.categories WHERE id = 1")]
    [InlineData(
        "orders/1",
        """
        UPDATE read.orders SET customer_id = 6, total_amount = 0, status = 'Cancelled' WHERE id = 1
        """)]
    [InlineData("orders/1", "DELETE FROM read.orders WHERE id = 1")]
    [InlineData("reviews/1", "DELETE FROM read.reviews WHERE id = 1")]
    [InlineData("reviews/1", "UPDATE read.reviews SET rating = 1, product_id = 11, user_id = 6 WHERE id = 1")]
    [InlineData("users/5", "UPDATE read.users SET first_name = 'Bob', body = convert_to('{}', 'UTF8') WHERE id = 5")]
    [InlineData("users/5", "DELETE FROM read.users WHERE id = 5")]
    public async Task Any_damaged_row_is_restored_and_no_other_is_changed(
        string aggregate, string damage)
    {
        await ShopAsync();
        var (before, rows) = (await LookAsync(), await RowsButAsync(aggregate));
        await Store.ExecuteAsync(damage);
        (await LookAsync()).ShouldNotBe(before);

        var healed = await HealAsync(aggregate);

        healed.Outcome.ShouldBe(aggregate == "products/12" ? AggregateHeal.Deleted : AggregateHeal.Written);
        (await LookAsync()).ShouldBe(before);
        (await RowsButAsync(aggregate)).ShouldBe(rows);
        await ShouldBeWholeAsync();
    }

    [Fact]
    public async Task Values_that_others_show_of_a_damaged_row_are_derived_again_with_it()
    {
        await ShopAsync();
        var before = await LookAsync();
        await Store.ExecuteAsync(
            """
            DELETE FROM read.products WHERE id = 10;
            UPDATE read.reviews SET rating = 1, product_id = 11 WHERE id = 1;
            DELETE FROM read.review_totals;
            INSERT INTO read.review_totals VALUES (11, 1, 1)
            """);
        // These events make their documents show the damage.
        await Projector.ApplyEachAsync([History.Review(3, 11, 6, 3), History.Delete(Resource.Reviews.Name, 3)]);
        await Projector.ApplyEachAsync([History.Product(13, "Cap"), History.Delete(Resource.Products.Name, 13)]);
        (await ViewAsync<ProductView>("products", 11)).Rating.Count.ShouldBe(1);
        await Projector.ApplyAsync(History.User(6, "Joan", "Clarke"));
        await Projector.ApplyAsync(History.Order(1, 5, "Pending", (10, 2, 5m), (11, 1, 1m)));

        await HealAsync("products/10");
        await HealAsync("reviews/1");

        var after = await LookAsync();
        after["products/10"].ShouldBe(before["products/10"]);
        after["products/11"].ShouldBe(before["products/11"]);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        await ShouldBeWholeAsync();
    }

    [Fact]
    public async Task A_document_that_remained_after_its_deletion_is_removed_and_so_is_its_name_in_others()
    {
        await ShopAsync();
        await Projector.ApplyAsync(History.Review(9, 12, 5, 4));
        await Store.ExecuteAsync("""
            UPDATE read.products SET is_deleted = false, name = 'Ghost', category_id = 1, body = '\x7b' WHERE id = 12;
            UPDATE read.segments SET document_count = document_count + 1 WHERE kind = 'products';
            UPDATE read.category_segments SET product_count = product_count + 1 WHERE category_id = 1;
            """);
        await Projector.ApplyAsync(History.User(5, "Ada", "King"));
        (await Store.BodyAsync("reviews", 9)).ShouldNotBeNull().ShouldContain("Ghost");

        (await HealAsync("products/12")).Outcome.ShouldBe(AggregateHeal.Deleted);

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        await ShouldBeWholeAsync();
    }

    [Fact]
    public async Task A_document_ahead_of_the_messages_is_not_changed_by_late_or_repeated_ones()
    {
        await ShopAsync();
        List<LogEntry> later =
            [History.Product(10, "Quill"), History.Review(1, 10, 5, 1), History.Product(10, "Nib", category: 2)];
        later.AddRange([History.Delete(Resource.Reviews.Name, 1), History.User(5, "Ada", "King")]);

        await HealAsync("products/10");
        await HealAsync("reviews/1");

        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Nib");
        (await Store.BodyAsync("reviews", 1)).ShouldBeNull();
        await Projector.ApplyEachAsync(later);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        await Store.ExecuteAsync("UPDATE read.checkpoints SET position = 0");
        await Projector.ApplyEachAsync(History.Entries);
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        await ShouldBeWholeAsync();
    }

    [Fact]
    public async Task A_change_that_is_applied_while_the_log_is_read_is_not_undone()
    {
        await ShopAsync();
        await using var second = new TestProjector(Store.Database.Projector, History);
        var applying = Task.CompletedTask;
        History.BeforeAnswer = async () =>
        {
            History.BeforeAnswer = () => Task.CompletedTask;
            applying = second.ApplyAsync(History.Product(10, "Quill"));
            await Eventually.Holds(async () => applying.IsCompleted
                || await IsTransactionWaitingAsync(), "it is applied, or waits for its turn");
        };

        await HealAsync("products/10");
        await applying;

        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Quill");
    }

    [Fact]
    public async Task Healing_while_two_projectors_apply_ends_in_the_documents_of_the_log()
    {
        for (var i = 0; i < 60; i++)
        {
            History.Category(i % 3, $"Category {i}");
            History.Product(i % 7, $"Product {i}", category: i % 3);
            History.Review(i % 9, product: i % 7, user: i % 5, rating: 1 + (i % 5));
            History.User(i % 5, $"First{i}", "Last");
        }

        await using var second = new TestProjector(Store.Database.Projector, History);
        var streams = History.Entries.GroupBy(entry => entry.Resource).Select(entries => entries.ToList()).ToList();
        var applying = streams.SelectMany(
            _ => new[] { Projector, second }, (entries, projector) => projector.ApplyEachAsync(entries)).ToList();
        var healing = new[] { Projector, second }.Select(async projector =>
        {
            for (var i = 0; i < 30; i++)
                await projector.Healer.HealAsync(
                    Resource.Names[i % 5], [i % 7, (i + 3) % 7, 9], CancellationToken.None);
        });

        await Task.WhenAll(applying.Concat(healing));

        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        await ShouldBeWholeAsync();
    }

    [Fact]
    public async Task A_document_that_is_not_in_the_log_is_deleted_and_may_be_created_later()
    {
        await ShopAsync();
        await Store.ExecuteAsync("""
            INSERT INTO read.products SELECT (jsonb_populate_record(p, '{"id": 99, "version": 3}')).*
                FROM read.products p WHERE id = 10;
            """);

        var healed = await HealAsync("products/99");

        healed.Outcome.ShouldBe(AggregateHeal.Removed);
        healed.Version.ShouldBeNull();
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        await ShouldBeWholeAsync();
        await Projector.ApplyAsync(History.Product(99, "Born later"));
        (await ViewAsync<ProductView>("products", 99)).Version.ShouldBe(1);
    }

    [Fact]
    public async Task A_parked_aggregate_is_at_its_last_state_and_no_longer_parked()
    {
        await Projector.ApplyAsync(History.Product(10, "Pen"), History.Product(11, "Ink"));
        await Projector.ApplyEachAsync([History.Product(10, "Nul \0 character"), History.Product(10, "Quill")]);

        var healed = await HealAsync("products/10");

        healed.ShouldBe(new AggregateHeal(Resource.Products.Name, 10, AggregateHeal.Written, 3, 2));
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Quill");
        await Projector.ApplyAsync(History.Product(10, "Nib"));
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Nib");
    }

    [Fact]
    public async Task An_aggregate_that_cannot_be_healed_stays_the_same_and_the_others_are_healed()
    {
        await Projector.ApplyAsync(History.Product(10, "Pen"), History.Product(11, "Ink"), History.Product(12, "Cap"));
        await Projector.ApplyAsync(
            History.Product(10, "Nul \0 character"),
            History.Add(Resource.Products.Name, EventTypes.ProductUpdated, 12, "{\"id\":12}"u8.ToArray(), 2));
        await Store.ExecuteAsync("DELETE FROM read.products WHERE id = 11");

        var healed = await Projector.Healer.HealAsync(Resource.Products.Name, [10, 11, 12], CancellationToken.None);

        healed.Select(heal => heal.Outcome).ShouldBe(
            [AggregateHeal.Refused, AggregateHeal.Written, AggregateHeal.Refused]);
        healed[0].Reason.ShouldNotBeNullOrEmpty();
        (await ViewAsync<ProductView>("products", 10)).Name.ShouldBe("Pen");
        (await ViewAsync<ProductView>("products", 11)).Name.ShouldBe("Ink");
        (await ViewAsync<ProductView>("products", 12)).Name.ShouldBe("Cap");
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.parked_events")).ShouldBe(2);
        await ShouldBeWholeAsync();
    }

    [Fact]
    public async Task A_damaged_body_does_not_prevent_changes_of_other_documents()
    {
        await ShopAsync();
        await Store.ExecuteAsync("UPDATE read.products SET body = '\\x7b' WHERE id = 10");

        await Projector.ApplyAsync(History.Category(1, "Paper"));

        (await ViewAsync<CategoryView>("categories", 1)).Name.ShouldBe("Paper");
        await HealAsync("products/10");
        (await ViewAsync<ProductView>("products", 10)).Category.Name.ShouldBe("Paper");
    }

    [Fact]
    public async Task Tags_are_raised_even_without_a_difference_and_no_revision_is_used_twice()
    {
        await ShopAsync();
        var revisions = new List<long> { await RevisionAsync() };
        await HealAsync("products/10");

        revisions.Add(await RevisionAsync());
        var pending = await Store.ScalarAsync<string[]>("SELECT pending_tags FROM read.projection_state");
        pending.ShouldContain("products:10");
        pending.ShouldContain("products");
        pending.ShouldContain("categories:1:products");
        await HealAsync("products/10");
        revisions.Add(await RevisionAsync());
        for (var i = 0; i < 3; i++)
        {
            await Projector.ApplyAsync(History.Category(1, $"Renamed {i}"));
            revisions.Add(await RevisionAsync());
        }

        revisions.ShouldBe(revisions.Distinct().Order());
    }

    [Fact]
    public async Task Nothing_is_changed_while_the_log_is_unavailable_or_sends_other_events()
    {
        await ShopAsync();
        await Store.ExecuteAsync("UPDATE read.products SET name = 'x' WHERE id = 10");
        var before = await LookAsync();

        History.Available = false;
        await Should.ThrowAsync<EventLogException>(() => HealAsync("products/10"));
        History.Available = true;
        History.Ignores = ["compacted"];
        await Should.ThrowAsync<EventLogException>(() => HealAsync("products/10"));
        History.Ignores = ["aggregate"];
        await Should.ThrowAsync<EventLogException>(() => HealAsync("products/10"));

        (await LookAsync()).ShouldBe(before);
        await Should.ThrowAsync<ArgumentOutOfRangeException>(() =>
            Projector.Healer.HealAsync(
                Resource.Products.Name, [.. Enumerable.Range(1, AggregateHealer.Most + 1)], CancellationToken.None));
    }

    private async Task ShopAsync()
    {
        await Projector.ApplyAsync(History.Category(1, "Books"), History.Category(2, "Toys"));
        await Projector.ApplyAsync(History.User(5, "Ann", "Lee"), History.User(6, "Joan", "Clarke"));
        await Projector.ApplyAsync(
            History.Product(10, "Pencil"),
            History.Product(10, "Pen"),
            History.Product(11, "Ink", category: 2),
            History.Product(12, "Cap"),
            History.Delete(Resource.Products.Name, 12));
        await Projector.ApplyAsync(
            History.Order(1, 5, "Pending", (10, 2, 5m), (11, 1, 1m)), History.Order(2, 6, "Delivered", (11, 1, 1m)));
        await Projector.ApplyAsync(History.Review(1, 10, 5, 4), History.Review(2, 10, 6, 5));
    }

    private async Task<AggregateHeal> HealAsync(string aggregate)
    {
        var (resource, id) = Parsed(aggregate);
        return (await Projector.Healer.HealAsync(resource, [id], CancellationToken.None)).Single();
    }

    private static (string Resource, int Id) Parsed(string aggregate)
    {
        var parts = aggregate.Split('/');
        return (parts[0], int.Parse(parts[1], System.Globalization.CultureInfo.InvariantCulture));
    }

    // Rows, bodies and data, and all that stands beside them.
    private async Task<SortedDictionary<string, string>> LookAsync()
    {
        var sql = Resource.Names.Select(kind => $"""
            SELECT '{kind}/' || id, (to_jsonb(t) - 'revision')::text FROM read.{kind} t
            """).Concat([
            "SELECT 'segment ' || kind || segment, document_count::text FROM read.segments",
            "SELECT 'products of ' || category_id || '/' || segment, product_count::text FROM read.category_segments",
            "SELECT 'rating ' || product_id, average::text FROM read.product_ratings",
            "SELECT 'change ' || product_id, modified_date::text FROM read.product_changes",
            "SELECT 'words ' || product_id, words::text FROM read.product_words",
            "SELECT 'name words ' || product_id, words::text FROM read.product_name_words",
            "SELECT 'word ' || word, products::text FROM read.name_word_counts",
            "SELECT 'orders of ' || customer_id, orders || ' ' || spent FROM read.order_totals WHERE orders > 0",
            "SELECT 'reviews of ' || product_id, reviews || ' ' || ratings FROM read.review_totals WHERE reviews > 0",
        ]);
        return await Store.PairsAsync(string.Join(" UNION ALL ", sql));
    }

    // Which transaction wrote the row: another one would have written it again.
    private async Task<SortedDictionary<string, string>> RowsButAsync(string aggregate) =>
        await Store.PairsAsync(string.Join(
        " UNION ALL ",
        Resource.Names.Select(
            kind => $"SELECT '{kind}/' || id, xmin::text FROM read.{kind} WHERE '{kind}/' || id <> '{aggregate}'")));

    private async Task ShouldBeWholeAsync()
    {
        (await Store.TornRowsAsync()).ShouldBe(0);
        (await Store.WrongAsidesAsync()).ShouldBe(0);
        (await Store.WrongSegmentsAsync()).ShouldBe(0);
    }

    private Task<long> RevisionAsync() => Store.ScalarAsync<long>("SELECT revision FROM read.products WHERE id = 10");

    private async Task<bool> IsTransactionWaitingAsync() => await Store.ScalarAsync<bool>("""
        SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted
            AND a.datname = current_database())
        """);
}
