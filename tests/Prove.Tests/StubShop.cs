using System.Net;
using System.Text;
using ApexShop.Prove.Clients;
using ApexShop.TestKit;

namespace ApexShop.Prove.Tests;

/// <summary>One process in place of a shop: it answers each request as the test says.</summary>
internal sealed class StubShop : IAsyncDisposable
{
    private readonly HttpListener listener = new();
    private readonly Task answering;

    public StubShop(Func<HttpListenerRequest, (int Status, string Body)> answer)
    {
        var url = $"http://127.0.0.1:{Loopback.FreePort()}/";
        listener.Prefixes.Add(url);
        listener.Start();
        ShopAddress[] process = [new("commands", new Uri(url))];
        Addresses = new(process, process, "key");
        answering = AnswerAsync(answer);
    }

    public ShopAddresses Addresses { get; }

    public async ValueTask DisposeAsync()
    {
        listener.Stop();
        await answering;
        ((IDisposable)listener).Dispose();
    }

    private async Task AnswerAsync(Func<HttpListenerRequest, (int Status, string Body)> answer)
    {
        while (listener.IsListening)
        {
            try
            {
                var request = await listener.GetContextAsync();
                var (status, body) = answer(request.Request);
                request.Response.StatusCode = status;
                request.Response.Close(Encoding.UTF8.GetBytes(body), willBlock: true);
            }
            catch (Exception stopped) when (stopped is HttpListenerException or ObjectDisposedException)
            {
                return;
            }
        }
    }
}
