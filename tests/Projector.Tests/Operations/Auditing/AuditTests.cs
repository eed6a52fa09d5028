using System.Text.Json;
using ApexShop.Events;
using ApexShop.Operations;
using ApexShop.Projector.EventLog;
using ApexShop.Projector.Operations.Auditing;
using ApexShop.Projector.Tests.Harness;
using ApexShop.Resources;

namespace ApexShop.Projector.Tests.Operations.Auditing;

public sealed class AuditTests(ReadStore store) : AuditTest(store)
{
    [Fact]
    public async Task Without_differences_nothing_is_reported_and_nothing_is_written()
    {
        await ShopAsync();
        var writers = await WritersAsync();

        var audited = await AuditAsync();
        var repaired = await AuditAsync(repair: true);

        audited.Texts.ShouldBeEmpty();
        audited.Summary.Compared.ShouldBe(4 + 19 + 29 + 29 + 29);
        repaired.Texts.ShouldBeEmpty();
        repaired.Summary.ShouldBe(
            audited.Summary with { Seconds = repaired.Summary.Seconds, Remaining = repaired.Summary.Remaining });
        Same(await WritersAsync(), writers);
    }

    [Fact]
    public async Task An_audit_that_begins_at_the_position_of_any_progress_reports_the_rest()
    {
        await ShopAsync();
        await DamageAsync();
        var whole = await LinesAsync(Whole);
        var summary = whole[^1].ShouldBeOfType<AuditSummary>();
        whole.OfType<AuditDifference>().Count().ShouldBeGreaterThan(4);

        foreach (var (index, line) in whole.Index())
        {
            if (line is not AuditProgress progress) continue;
            var rest = await LinesAsync(
                new(Repair: false, AuditPosition.Parse(progress.Next).ShouldNotBeNull()));
            rest.OfType<AuditDifference>().Select(one => $"{one}")
                .ShouldBe(whole.Skip(index).OfType<AuditDifference>().Select(one => $"{one}"), progress.Next);
            ((AuditSummary)rest[^1]).Different.ShouldBe(summary.Different - progress.Differences, progress.Next);
        }
    }

    [Theory]
    [InlineData("rows")]
    [InlineData("rows/products")]
    [InlineData("rows/gadgets/1")]
    [InlineData("columns/products/1")]
    [InlineData("rows/products/x")]
    [InlineData("rows/products/4294967296")]
    [InlineData("rows/products/1/2")]
    public void Another_text_is_no_position(string text) => AuditPosition.Parse(text).ShouldBeNull();

    [Fact]
    public async Task Documents_that_get_a_new_name_later_are_no_differences()
    {
        await ShopAsync();
        await using var later = new TestProjector(Store.Database.Projector, History, mostAtOnce: 0);
        await later.ApplyAsync(History.Category(2, "Renamed"));
        await later.ApplyAsync(History.User(3, "Renamed", "Too"));
        (await Store.ScalarAsync<long>("SELECT count(*) FROM read.pending_names")).ShouldBe(3);

        (await AuditAsync()).Texts.ShouldBeEmpty();

        await later.RefreshNamesAsync();
        (await AuditAsync()).Texts.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_restored_schema_is_not_repaired_before_another_epoch()
    {
        await ShopAsync();
        await Store.ExecuteAsync("""
            DELETE FROM read.product_ratings WHERE product_id = 4;
            UPDATE read.projection_state SET log_id = 'aaaaaaaaaaaa', origin = 'of the schema before'
            """);

        await Should.ThrowAsync<EventLogException>(() => AuditAsync(repair: true));
        (await AuditAsync()).Texts.ShouldBe(["products/4 sideTable"]);
        await Store.ExecuteAsync("UPDATE read.projection_state SET origin = read.origin()");

        (await AuditAsync(repair: true)).Summary.Remaining.Values.Sum().ShouldBe(0);
    }

    [Theory]
    [InlineData(
        "UPDATE read.products SET body = overlay(body PLACING '\\x58' FROM 12) WHERE id = 4", "products/4 columns")]
    [InlineData("UPDATE read.products SET body = convert_to('{', 'UTF8') WHERE id = 4", "products/4 columns")]
    [InlineData("UPDATE read.products SET body = NULL WHERE id = 4", "products/4 columns")]
    [InlineData(
        "UPDATE read.products SET body = convert_to(jsonb_set(data, '{images}', '[null]')::text, 'UTF8') WHERE id = 4",
        "products/4 columns")]
    [InlineData(
        "UPDATE read.orders SET body = convert_to(jsonb_set(data, '{items}', '[null]')::text, 'UTF8') WHERE id = 4",
        "orders/4 columns")]
    [InlineData("UPDATE read.products SET body = body || '\\x20' WHERE id = 4", "products/4 columns")]
    [InlineData(
        "UPDATE read.products SET body = (SELECT body FROM read.products WHERE id = 1) WHERE id = 4",
        "products/4 columns")]
    [InlineData("UPDATE read.users SET data = data || '{\"isActive\": false}' WHERE id = 4", "users/4 columns")]
    [InlineData("UPDATE read.orders SET data = NULL WHERE id = 4", "orders/4 columns")]
    [InlineData("UPDATE read.orders SET customer_id = customer_id + 1 WHERE id = 4", "orders/4 columns")]
    [InlineData("UPDATE read.orders SET total_amount = total_amount + 0.01 WHERE id = 4", "orders/4 columns")]
    [InlineData(
        "UPDATE read.products SET price = 'NaN', updated_date = '-infinity' WHERE id = 4", "products/4 columns")]
    [InlineData("UPDATE read.categories SET version = version + 1 WHERE id = 4", "categories/4 columns")]
    [InlineData("UPDATE read.reviews SET rating = 5 WHERE id = 9", "reviews/9 columns")]
    [InlineData(
        """
        UPDATE read.reviews SET is_deleted = true, data = NULL, body = NULL, product_id = NULL, user_id = NULL,
            rating = NULL, created_date = NULL
        WHERE id = 4
        """,
        "reviews/4 deleted")]
    [InlineData("DELETE FROM read.reviews WHERE id = 4", "reviews/4 missing")]
    [InlineData(
        """
        INSERT INTO read.reviews
        SELECT 8000, version, revision, is_deleted, product_id, user_id, rating, created_date, data || '{"id": 8000}',
            convert_to(replace(convert_from(body, 'UTF8'), '"id":4,"product"', '"id":8000,"product"'), 'UTF8')
        FROM read.reviews WHERE id = 4
        """,
        "reviews/8000 foreign")]
    public async Task Wrong_documents_are_reported_and_repaired_and_no_other_row_is_written(
        string harm, string named)
    {
        await ShopAsync();
        var (everything, writers) = (await EverythingAsync(), await WritersAsync());
        await Store.ExecuteAsync(harm);
        var target = named.Split(' ')[0];

        (await AuditAsync()).Texts.ShouldContain(named);
        var repaired = await AuditAsync(repair: true);
        repaired.Texts[0].ShouldBe(named);
        repaired.Differences.ShouldAllBe(difference => difference.Repaired == true);
        repaired.Summary.Remaining.Values.Sum().ShouldBe(0);

        (await AuditAsync()).Texts.ShouldBeEmpty();
        Same(await EverythingAsync(), everything);
        Same((await WritersAsync()).Where(IsOther), writers.Where(IsOther));

        bool IsOther(string row) => !row.StartsWith(target + " ", StringComparison.Ordinal);
    }

    [Fact]
    public async Task Documents_that_show_wrong_totals_are_repaired_with_them()
    {
        await ShopAsync();
        var everything = await EverythingAsync();
        await Store.ExecuteAsync("UPDATE read.order_totals SET spent = spent + 1; DELETE FROM read.review_totals");
        // The documents show them as soon as another event of theirs is applied.
        for (var id = 1; id <= 10; id++) History.User(id, $"First{id}", $"\u00c9last{id}");
        for (var n = 1; n <= 10; n++)
            History.Product(ProductId(n), $"Product \"{n}\" \U0001F6CB", category: 1 + (n % 4), price: n + 0.5m);
        await ProjectAsync();

        (await AuditAsync(repair: true)).Summary.Remaining.Values.Sum().ShouldBe(0);

        (await AuditAsync()).Texts.ShouldBeEmpty();
        (await Store.OutcomeAsync()).ShouldBe(new Recomputation(History.Entries).Documents());
        (await Store.WrongAsidesAsync()).ShouldBe(0);
        (await EverythingAsync()).Count.ShouldBe(everything.Count);
    }

    [Theory]
    [InlineData("\"stock\":5", "\"stock\":6", "stock = 6", "state")]
    [InlineData("\"version\":1,", "\"version\":7,", "version = 7", "ahead")]
    [InlineData("Category 1", "Category X", "stock = stock", "derived")]
    public async Task A_consistent_row_is_compared_with_the_tables_and_with_its_sources(
        string from, string to, string column, string what)
    {
        await ShopAsync();
        var everything = await EverythingAsync();
        await Store.ExecuteAsync($"""
            UPDATE read.products SET {column}, body = convert_to(replace(convert_from(body, 'UTF8'), '{from}', '{to}'),
                'UTF8'),
                data = replace(convert_from(body, 'UTF8'), '{from}', '{to}')::jsonb WHERE id = 4
            """);

        (await AuditAsync()).Texts.ShouldBe([$"products/4 {what}"]);
        (await AuditAsync(repair: true)).Differences.Select(difference => difference.Repaired).ShouldBe([true]);

        Same(await EverythingAsync(), everything);
    }

    [Theory]
    [InlineData("UPDATE read.product_ratings SET average = 4.99 WHERE product_id = 4", "products/4 sideTable")]
    [InlineData("DELETE FROM read.product_changes WHERE product_id = 4", "products/4 sideTable")]
    [InlineData(
        "UPDATE read.product_words SET words = to_tsvector('english', 'lamp') WHERE product_id = 4",
        "products/4 sideTable")]
    [InlineData("INSERT INTO read.product_ratings VALUES (9000, 1)", "products/9000 sideTable")]
    [InlineData(
        "UPDATE read.segments SET document_count = 7 WHERE kind = 'users'", "users/segment 0 sideTable read.segments")]
    [InlineData(
        "DELETE FROM read.segments WHERE kind = 'products' AND segment = 2",
        "products/segment 2 sideTable read.segments")]
    [InlineData("INSERT INTO read.segments VALUES ('orders', 40, 1, 3)", "orders/segment 40 sideTable read.segments")]
    [InlineData("UPDATE read.order_totals SET spent = spent + 0.01 WHERE customer_id = 4", "users/4 sideTable")]
    [InlineData("DELETE FROM read.order_totals WHERE customer_id = 4", "users/4 sideTable")]
    [InlineData("UPDATE read.review_totals SET reviews = reviews + 1 WHERE product_id = 4", "products/4 sideTable")]
    [InlineData("INSERT INTO read.review_totals VALUES (9000, 1, 5)", "products/9000 sideTable")]
    [InlineData(
        "UPDATE read.category_segments SET product_count = 0 WHERE category_id = 2 AND segment = 0",
        "products/segment 0 sideTable read.category_segments")]
    [InlineData(
        "INSERT INTO read.category_segments VALUES (77, 9, 3)", "products/segment 9 sideTable read.category_segments")]
    public async Task Wrong_side_table_rows_are_reported_and_repaired(string harm, string named)
    {
        await ShopAsync();
        var everything = await EverythingAsync();
        await Store.ExecuteAsync(harm);

        (await AuditAsync()).Texts.ShouldContain(named);
        (await AuditAsync(repair: true)).Texts.ShouldContain(named);

        (await AuditAsync()).Texts.ShouldBeEmpty();
        Same(await EverythingAsync(), everything);
    }

    [Fact]
    public async Task A_document_that_still_exists_after_its_deletion_is_reported_and_deleted()
    {
        await ShopAsync();
        var everything = await EverythingAsync();
        await Store.ExecuteAsync("""
            UPDATE read.reviews t
                SET (is_deleted, product_id, user_id, rating, created_date, data, body) = (false, s.product_id,
                s.user_id, s.rating, s.created_date, replace(s.data::text, '"id": 4,',
                    '"id": 9,')::jsonb || '{"version": 2}',
                convert_to(replace(replace(convert_from(s.body, 'UTF8'), '"id":4,"product"', '"id":9,"product"'),
                    '"version":1}', '"version":2}'), 'UTF8'))
            FROM read.reviews s WHERE s.id = 4 AND t.id = 9
            """);

        (await AuditAsync()).Texts.ShouldContain("reviews/9 notDeleted");
        await AuditAsync(repair: true);

        (await AuditAsync()).Texts.ShouldBeEmpty();
        Same(await EverythingAsync(), everything);
    }

    [Fact]
    public async Task A_row_that_was_changed_without_an_event_is_reported_as_such_and_not_repaired()
    {
        await ShopAsync();
        var everything = await EverythingAsync();
        var state = JsonSerializer.Deserialize(
            History.Entries.Last(entry => entry is { Resource: "products", AggregateId: 4 }).Data.Span,
            EventJson.Wire.ProductState)!;
        Tables.ByHand[(Resource.Products.Name, 4)] = JsonSerializer.SerializeToUtf8Bytes(
            state with { Stock = 999 }, EventJson.Wire.ProductState);
        Tables.ByHand[(Resource.Products.Name, 5)] = JsonSerializer.SerializeToUtf8Bytes(
            state with { Id = 5, Version = 2 }, EventJson.Wire.ProductState);
        Tables.GoneByHand.Add((Resource.Reviews.Name, 4));

        (await AuditAsync()).Texts.ShouldBe(["products/4 unlogged", "products/5 unlogged", "reviews/4 unlogged"]);
        var repaired = await AuditAsync(repair: true);

        repaired.Differences.ShouldAllBe(difference => difference.Repaired == false
            && difference.What == Difference.Unlogged);
        repaired.Summary.Remaining[Resource.Products.Name].ShouldBe(2);
        Same(await EverythingAsync(), everything);
    }

    [Fact]
    public async Task Differences_beyond_those_that_are_reported_are_counted()
    {
        Options.Named = 2;
        await ShopAsync();
        await Store.ExecuteAsync("UPDATE read.orders SET status = 'Lost' WHERE id <= 5");

        var audited = await AuditAsync();

        audited.Differences.Count.ShouldBe(2);
        audited.Summary.Different.ShouldBeGreaterThanOrEqualTo(5);
        audited.Summary.Remaining[Resource.Orders.Name].ShouldBe(5);
    }
}
