using System.Net.Http.Headers;

namespace ApexShop.Client.Requests;

/// <summary>One request, of which every attempt is a copy.</summary>
internal sealed record ShopRequest(HttpMethod Method, string Path)
{
    public byte[]? Body { get; init; }

    public string ContentType { get; init; } = "application/json";

    public string? Accept { get; init; }

    public string? IfMatch { get; init; }

    public string? IfNoneMatch { get; init; }

    /// <summary>The same in every attempt, so that the command is executed once.</summary>
    public string? IdempotencyKey { get; init; }

    /// <summary>Its body is read while it arrives.</summary>
    public bool IsStream { get; init; }

    /// <summary>The shop allows it much more time than others.</summary>
    public bool IsLong { get; init; }

    /// <summary>Its token names the customer's document, for which later reads need not wait.</summary>
    public bool IsSignIn { get; init; }

    public bool IsRead => Method == HttpMethod.Get;

    /// <summary>Executing it twice has the effect of executing it once.</summary>
    public bool IsRepeatable => IsRead || IdempotencyKey is not null;

    public HttpRequestMessage ToMessage(Uri address, string? key, string? tokens)
    {
        var message = new HttpRequestMessage(Method, new Uri(address, Path));
        if (Body is not null)
        {
            message.Content = new ByteArrayContent(Body);
            message.Content.Headers.ContentType = new MediaTypeHeaderValue(ContentType);
        }
        else if (!IsRead)
        {
            // A request without content is sent again by .NET itself when its connection ends without a response.
            message.Content = new ByteArrayContent([]);
        }

        if (key is not null) message.Headers.Authorization = new AuthenticationHeaderValue("Bearer", key);
        Add("Accept", Accept);
        Add("If-Match", IfMatch);
        Add("If-None-Match", IfNoneMatch);
        Add("Idempotency-Key", IdempotencyKey);
        Add("Consistency-Token", tokens);
        return message;

        void Add(string name, string? value)
        {
            if (value is not null) message.Headers.TryAddWithoutValidation(name, value);
        }
    }
}
