using System.Net;
using System.Text;

namespace ApexShop.Queries.Api.Tests.Streaming.Segments;

public sealed class CollectionETagTests(SegmentShop shop) : IClassFixture<SegmentShop>
{
    private const string Json = "application/json";

    [Fact]
    public async Task Each_form_of_a_collection_has_an_ETag_of_its_own_for_which_it_is_304_until_a_document_changes()
    {
        var forms = (
            from mediaType in SegmentShop.MediaTypes
            from coding in (string[])["identity", "gzip", "br"]
            from limit in (string[])["", "?limit=600"]
            select (mediaType, coding, limit)).ToList();
        var etags = new List<string>();
        foreach (var (mediaType, coding, limit) in forms)
        {
            using var whole = await GetAsync($"reviews/stream{limit}", mediaType, coding);
            whole.StatusCode.ShouldBe(HttpStatusCode.OK);
            whole.Headers.CacheControl!.ToString().ShouldBe("no-cache");
            etags.Add(whole.Headers.ETag!.ToString());
        }

        etags.ShouldBeUnique();
        foreach (var ((mediaType, coding, limit), etag) in forms.Zip(etags))
        {
            using var same = await GetAsync($"reviews/stream{limit}", mediaType, coding, etag);
            same.StatusCode.ShouldBe(HttpStatusCode.NotModified);
            same.Headers.ETag!.ToString().ShouldBe(etag);
            (await same.Content.ReadAsByteArrayAsync()).ShouldBeEmpty();
        }

        await shop.PutAsync("reviews", [9], id => Encoding.UTF8.GetBytes($"{{\"id\":{id},\"comment\":\"new\"}}"));
        foreach (var ((mediaType, coding, limit), etag) in forms.Zip(etags))
        {
            using var changed = await GetAsync($"reviews/stream{limit}", mediaType, coding, etag);
            changed.StatusCode.ShouldBe(HttpStatusCode.OK);
            changed.Headers.ETag!.ToString().ShouldNotBe(etag);
        }
    }

    [Fact]
    public async Task Another_epoch_gives_another_ETag()
    {
        using var before = await GetAsync("products/stream", Json, "identity");
        await shop.ExecuteAsync("UPDATE read.projection_state SET epoch = epoch + 1");
        using var after = await GetAsync("products/stream", Json, "identity", before.Headers.ETag!.ToString());
        after.StatusCode.ShouldBe(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_collection_with_a_scope_may_not_be_stored()
    {
        using var orders = await GetAsync("orders/stream", Json, "identity");
        orders.Headers.CacheControl!.ToString().ShouldBe("no-store, private");
        using var same = await GetAsync("orders/stream", Json, "identity", orders.Headers.ETag!.ToString());
        same.StatusCode.ShouldBe(HttpStatusCode.NotModified);
    }

    [Fact]
    public async Task A_list_that_is_read_by_rows_has_none()
    {
        using var rows = await shop.ByRows.GetAsync("products/stream");
        rows.Headers.ETag.ShouldBeNull();
        rows.Headers.CacheControl!.ToString().ShouldBe("no-store");
        using var filtered = await GetAsync("products/stream?isActive=true", Json, "identity");
        filtered.Headers.ETag.ShouldBeNull();
    }

    private Task<HttpResponseMessage> GetAsync(string path, string mediaType, string coding, string? etag = null)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Add("Accept", mediaType);
        request.Headers.Add("Accept-Encoding", coding);
        if (etag is not null) request.Headers.Add("If-None-Match", etag);
        return shop.Http.SendAsync(request);
    }
}
